import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The reverse proxies that have a configuration in docs/proxies.md, by the names of their headings. */
export const proxyNames = ['nginx', 'HAProxy', 'Caddy', 'Traefik'] as const
export type ProxyName = (typeof proxyNames)[number]

const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'proxies.md'), 'utf8')

/** The name for which the documented configurations are written. */
export const DOCUMENTED_HOST = 'monitor.example.com'

/** Where documented configurations find the hub: over TCP at the root or under `/monitor`, or on a Unix socket. */
export type ProxyPlace = 'root' | 'path' | 'socket'

const headings = { path: '## Serve the hub under a path', socket: '## Connect over a Unix socket' } as const

/** A proxy's configuration in docs/proxies.md, with the replacement of its table for a path or a socket. Undefined when the document has none. */
export function documentedProxy(name: ProxyName, place: ProxyPlace): string | undefined {
  const config = /```\w+\n([^]*?)```/.exec(sectionOf(`### ${name}`))?.[1]
  if (config === undefined) throw new Error(`docs/proxies.md has no configuration of ${name}`)
  if (place === 'root') return config
  const row = sectionOf(headings[place])
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll(/^`+|`+$/g, '')))
    .find(([, first]) => first === name)
  const [, , before = '', after = ''] = row ?? []
  if (row === undefined) return undefined
  return replaced(config, { [before]: after })
}

/** The text with each key replaced by its value. Every key must occur. */
export function replaced(config: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((result, [before, after]) => {
    if (before === '' || !result.includes(before)) throw new Error(`The configuration has no "${before}":\n${result}`)
    return result.replaceAll(before, () => after)
  }, config)
}

/** The text from a heading to the next one of the same or a higher level. */
function sectionOf(heading: string): string {
  const from = text.indexOf(`\n${heading}\n`)
  if (from < 0) throw new Error(`docs/proxies.md has no heading "${heading}"`)
  const body = text.slice(from + heading.length + 2)
  const end = body.search(new RegExp(`^#{1,${heading.indexOf(' ')}} `, 'm'))
  return end < 0 ? body : body.slice(0, end)
}

/** The documented configuration of nginx with its sign-in lines in place of `location /`. */
export function documentedSignIn(): string {
  const lines = /```nginx\n([^]*?)```/.exec(sectionOf('## Sign in by a header'))?.[1] ?? ''
  const [plain = ''] = /^ {2}location \/ \{[^}]*\}\n/m.exec(documentedProxy('nginx', 'root') ?? '') ?? []
  return replaced(documentedProxy('nginx', 'root') ?? '', { [plain]: lines })
}
