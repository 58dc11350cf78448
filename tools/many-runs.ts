import fc from 'fast-check'

// Loaded before the long tests: every property that names no number of runs of its own gets this many.
fc.configureGlobal({ numRuns: 5000 })
