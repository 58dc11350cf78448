import { join } from 'node:path'
import { API } from 'typescript/unstable/sync'
import { isSource, isTest, readSource, root } from '../rules/source-tree.ts'
import { errorClassesIn, messagesIn, type Message } from './messages-in-source.ts'

const BUILT_IN = ['Error', 'RangeError', 'SyntaxError', 'TypeError']

/**
 * Returns all messages for users (log entries, errors, rejected fields and settings) that occur in the source code of hub, agent and
 * protocol, for `docs/messages.md`. Throws when `tsconfig.json` cannot be opened.
 */
export function collectedMessages(): readonly Message[] {
  const api = new API({ cwd: root })
  try {
    const config = join(root, 'tsconfig.json')
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (project === undefined) throw new Error(`Cannot open ${config}: the compiler knows no such project`)
    const sources = project.rootFiles.flatMap((path) => {
      const file = path.slice(root.length + 1)
      const isProduct = /^(?:agent|hub|protocol)\/src\//.test(file) && isSource(file) && !isTest(file) && !file.includes('/memory-runtime')
      const source = isProduct ? project.program.getSourceFile(path) : undefined
      return source === undefined ? [] : [{ file, source }]
    })
    const classes = new Set([...BUILT_IN, ...sources.flatMap(({ source }) => errorClassesIn(source))])
    return sources.flatMap(({ file, source }) => messagesIn(source, file, classes))
  } finally {
    api.close()
  }
}

const FAILURE =
  /\b(?:cannot|could not|can't|did not|does not|failed|fails|not reach|no longer|expired|refused|try again|wrong|lost|not right|too many|too long|damaged|not allowed|missing|not known|unreachable|must)\b/i

/**
 * Returns those English texts of the dashboard, from `web/messages/en.json`, that report a problem, for `docs/messages.md`. A problem is
 * detected by words such as `cannot`; descriptions, hints, legends and texts with several forms are left out.
 */
export function dashboardMessages(): readonly Message[] {
  const file = 'web/messages/en.json'
  const texts = Object.entries(JSON.parse(readSource(file)) as Readonly<Record<string, unknown>>) // keys and texts, or forms of a text
  return texts.flatMap(([key, text]) =>
    typeof text === 'string' && !/_about$|_hint$|_legend$/.test(key) && FAILURE.test(text) ? [{ text, kind: 'dashboard', file }] : [],
  )
}
