"""Does masking help? Benchmarks read here, scored and compared."""
