"""The Bazzi box as hardware: wiring as data, and what is made from it."""
