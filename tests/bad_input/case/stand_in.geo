// Stands for a geometry: these cases are refused before it is read.
