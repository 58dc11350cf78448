// Compiles the message catalogue (messages/*.json) into src/words: run by the build, and before a type check without one.
import { fileURLToPath } from 'node:url'
import { compile } from '@inlang/paraglide-js'

const inWeb = (path) => fileURLToPath(new URL(path, import.meta.url))

await compile({
  project: inWeb('project.inlang'),
  outdir: inWeb('src/words'),
  strategy: ['localStorage', 'preferredLanguage', 'baseLocale'],
  localStorageKey: 'ui-language',
  isServer: 'false',
  emitGitIgnore: false,
  emitPrettierIgnore: false,
  emitReadme: false,
  disableAsyncLocalStorage: true,
})
// The compiler leaves timers of thirty seconds behind, which nothing waits for.
process.exit(0)
