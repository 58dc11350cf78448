import { Session, type Profiler } from 'node:inspector'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCES = 'hub/src/'
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Counts the calls of every function of this process by V8's precise coverage. */
export function functionCoverage() {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

  function take(): readonly Profiler.ScriptCoverage[] {
    let taken: readonly Profiler.ScriptCoverage[] = []
    // For a session on the same thread, the callback runs before the call returns.
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error
      taken = result
    })
    return taken
  }

  return {
    /** Forgets the calls so far. */
    reset: () => void take(),
    /** The files of hub/src with a function that ran since the last reset, relative to it. A module's own top level does not count. */
    files: (): ReadonlySet<string> =>
      new Set(
        take()
          .filter(
            ({ url, functions }) =>
              url.startsWith('file:') && functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
          )
          .map(({ url }) => relative(root, fileURLToPath(url)).split(sep).join('/'))
          .filter((path) => path.startsWith(SOURCES))
          .map((path) => path.slice(SOURCES.length)),
      ),
    [Symbol.dispose]: () => session.disconnect(),
  }
}
