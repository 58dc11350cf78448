import fc from 'fast-check'

// Loaded before the long tests: sets the default number of runs of a property.
fc.configureGlobal({ numRuns: 5000 })
