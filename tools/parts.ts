import { compileWords } from './dashboard.ts'
import { run } from './run.ts'

// The development page: every part of the interface in every state, drawn anew as its sources change.
const [compiler, ...options] = compileWords
const status = (await run(compiler, options)) || (await run('vite', ['--config', 'web/development.config.ts']))
process.exitCode = status
