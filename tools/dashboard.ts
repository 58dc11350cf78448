import { buildNow, ensureBuilt, type Build } from './built-files.ts'

/**
 * Command line, as a list, that compiles the dashboard's translated messages into `web/src/words`. It is separate from the bundler, because
 * the compiler's timers would keep that process open for 30 s.
 */
export const compileWords = ['paraglide-js', 'compile', '--project', 'web/project.inlang', '--outdir', 'web/src/words', '--silent'] as const

const dashboard: Build = {
  name: 'the dashboard',
  workspace: 'web',
  generate: compileWords,
  // The first one empties the folder.
  configurations: ['vite.config.ts', 'back-office.config.ts'],
  inputs: ['web/**', 'protocol/src/**'],
  except: /^web\/(dist|development|src\/development|node_modules|src\/words|project\.inlang\/(?!\w+\.(?:js|json)$))(\/|$)/,
}

export const ensureDashboard = (): Promise<void> => ensureBuilt(dashboard)

export const buildDashboard = (): Promise<void> => buildNow(dashboard)
