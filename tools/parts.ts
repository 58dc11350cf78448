import { compileWords } from './dashboard.ts'
import { run } from './run.ts'

// Serves the development page, which shows every interface component in every state and reloads when sources change.
const [compiler, ...options] = compileWords
const status = (await run(compiler, options)) || (await run('vite', ['--config', 'web/development.config.ts']))
process.exitCode = status
