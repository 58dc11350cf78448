import { buildNow, ensureBuilt, type Build } from './built-files.ts'

const dashboard: Build = {
  name: 'the dashboard',
  workspace: 'web',
  // The first one empties the folder.
  configurations: ['vite.config.ts', 'back-office.config.ts'],
  inputs: ['web/**', 'protocol/src/**'],
  except: /^web\/(dist|node_modules|src\/words)(\/|$)/,
}

export const ensureDashboard = (): Promise<void> => ensureBuilt(dashboard)

export const buildDashboard = (): Promise<void> => buildNow(dashboard)
