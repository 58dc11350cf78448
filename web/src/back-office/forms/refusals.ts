import { recordOf, textOf } from '../../api/json.ts'
import { RequestFailed } from '../../api/request-failed.ts'

/** What the hub said of each field of a form, by its path (`smtp.host`): refusals stand as deep as what they are about. */
export function refusalsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof RequestFailed)) return {}
  const found: { [path: string]: string } = {}
  collect(recordOf(recordOf(recordOf(error.cause)['response'])['data']), '', found)
  return found
}

function collect(part: unknown, path: string, found: { [path: string]: string }): void {
  const message = textOf(recordOf(part)['message'])
  if (message !== undefined && path !== '') {
    found[path] = message
    return
  }
  for (const [name, inner] of Object.entries(recordOf(part))) collect(inner, path === '' ? name : `${path}.${name}`, found)
}
