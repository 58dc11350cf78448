import type { RouteDeclaration, RouteTag } from '../hub/src/http/routing/define-route.ts'
import { bodyFields, queryParameters, whoMayCall } from '../hub/src/http/description/route-operation.ts'

const titles: Readonly<Record<RouteTag, string>> = {
  hub: 'Hub',
  'sign-in': 'Sign-in and accounts',
  records: 'Records',
  realtime: 'Realtime',
  agents: 'Agents',
  history: 'History',
  alerts: 'Alerts',
  'back-office': 'Back-office',
}

export const TABLE_START = '<!-- routes: written by tools/describe-api.ts -->'
export const TABLE_END = '<!-- end of routes -->'

/**
 * Returns the Markdown of the API reference: for each tag (group of routes) a heading and a table of its routes. Routes for all methods
 * (`ALL`) are left out.
 */
export function apiTable(routes: readonly RouteDeclaration[]): string {
  const shown = routes.filter(({ method }) => method !== 'ALL')
  return Object.entries(titles)
    .map(([tag, title]) =>
      tableOf(
        title,
        shown.filter((route) => route.tag === tag),
      ),
    )
    .join('\n\n')
}

const head = ['| Call | Who | What | Parameters |', '| --- | --- | --- | --- |']

const tableOf = (title: string, routes: readonly RouteDeclaration[]): string =>
  [`### ${title}`, '', ...head, ...routes.map(rowOf)].join('\n')

function rowOf(route: RouteDeclaration): string {
  const { method, path, summary } = route
  const cells = [`\`${method} ${path}\``, whoMayCall(route), summary, parametersOf(route)]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function parametersOf({ query, body, picksFields }: RouteDeclaration): string {
  const inQuery = [...queryParameters(query).map(([name]) => name), ...(picksFields === true ? ['fields'] : [])]
  const inBody = bodyFields(body)
  return [listed('query', inQuery), listed('body', inBody)].filter((text) => text !== '').join('; ')
}

const listed = (place: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `${place}: ${names.map((name) => `\`${name}\``).join(', ')}`
