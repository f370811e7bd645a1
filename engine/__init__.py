"""Reads, checks, runs, explains and compares rubrics. Knows no benchmark."""
