"""Figures: speed, memory, presses, wear. Printed beside what is aimed at, never asserted."""
