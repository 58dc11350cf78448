import type { UserConfig } from 'vite'

const ENTRY = '/src/main.tsx'
const FLEET_PAGE = '/features/fleet/fleet-page.tsx'
const SYSTEM_PAGE = ['/features/system/system-page.tsx', '/chart/time-chart.tsx']
const MESSAGES = '/words/messages/'

/**
 * Returns Vite options that group modules into three chunks: `start` (needed before any page), `pages` and `charts` (of the two main
 * pages). By default the bundler makes dozens of small files, and browsers load six at a time.
 */
export function pageChunks(): UserConfig {
  /** Map from the id (file path) of each module of the bundle to the ids of the modules that it imports statically. */
  const needs = new Map<string, readonly string[]>()
  const together = new Map<string, ReadonlySet<string>>()

  /**
   * Returns the ids of all modules that the modules whose id ends in one of `ends` (such as `/main.tsx`) import statically, directly or
   * indirectly, and of these modules themselves.
   */
  const neededBy = (...ends: readonly string[]): ReadonlySet<string> => {
    const key = ends.join()
    const known = together.get(key)
    if (known !== undefined) return known
    const found = new Set<string>()
    const add = (id: string): void => {
      if (found.has(id)) return
      found.add(id)
      for (const need of needs.get(id) ?? []) add(need)
    }
    for (const id of needs.keys()) if (ends.some((end) => id.endsWith(end))) add(id)
    together.set(key, found)
    return found
  }
  const isOfStart = (id: string) => neededBy(ENTRY).has(id) && !id.endsWith(ENTRY)
  const isShared = (id: string) => neededBy(FLEET_PAGE).has(id) && !neededBy(ENTRY).has(id) && !id.includes('/features/fleet/')
  const isOfCharts = (id: string) =>
    neededBy(...SYSTEM_PAGE).has(id) && !neededBy(ENTRY).has(id) && !isShared(id) && !SYSTEM_PAGE.some((end) => id.endsWith(end))

  return {
    plugins: [
      {
        name: 'page-chunks',
        buildEnd() {
          const ids = [...this.getModuleIds()]
          const messages = new Map(
            ids.filter((id) => id.includes(MESSAGES)).map((id) => [id.slice(id.lastIndexOf('/') + 1, -'.js'.length), id]),
          )
          for (const id of ids) {
            const { importedIds = [], code = '' } = this.getModuleInfo(id) ?? {}
            // Every module imports the file of all messages, but needs only those that it calls.
            const called = [...(code ?? '').matchAll(/\bwords\.(\w+)/g)].map(([, name = '']) => messages.get(name))
            needs.set(id, [
              ...importedIds.filter((one) => !one.endsWith('/words/messages.js')),
              ...called.filter((one) => one !== undefined),
            ])
          }
        },
      },
    ],
    build: {
      rolldownOptions: {
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [
              { name: 'start', test: isOfStart },
              { name: 'pages', test: isShared },
              { name: 'charts', test: isOfCharts },
            ],
          },
        },
      },
    },
  }
}
