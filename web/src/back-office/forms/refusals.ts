import { nullRecord, type NullRecord } from '@vedette/protocol/null-record'
import { recordOf, textOf } from '../../api/json.ts'
import { messageOf, RequestFailed } from '../../api/request-failed.ts'
import * as words from '../../words/messages.js'

/**
 * Returns an object from path of a rejected field, such as `smtp.host`, to the hub's validation message, for a failed request. Empty for
 * any other error.
 */
export function refusalsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof RequestFailed)) return {}
  const found = nullRecord<string>()
  collect(error.fieldErrors, '', found)
  return found
}

function collect(part: unknown, path: string, found: NullRecord<string>): void {
  const message = textOf(recordOf(part)['message'])
  if (message !== undefined && path !== '') {
    found[path] = message
    return
  }
  for (const [name, inner] of Object.entries(recordOf(part))) collect(inner, path === '' ? name : `${path}.${name}`, found)
}

/**
 * Returns true when a validation error at `path` concerns the form's field: the path is the field's own, or that of an item of the field's
 * list, such as `rules.2`.
 */
export const isAbout = (field: string, path: string): boolean => path === field || path.startsWith(`${field}.`)

/**
 * Returns the hub's validation message for a field from `wrong` (messages by path); `undefined` without one. For an error of a list's item,
 * the message names the line in the text field.
 */
export function refusalOf(wrong: Readonly<Record<string, string>>, field: string): string | undefined {
  const [path, text] = Object.entries(wrong).find(([one]) => isAbout(field, one)) ?? []
  if (path === undefined || text === undefined || path === field) return text
  return words.office_line({ number: Number.parseInt(path.slice(field.length + 1), 10) + 1, text })
}

/**
 * Returns the error message of a rejected form as text. Messages in `wrong` (validation messages by path) of fields that are not in the
 * form (`hasField` returns false) are added, because no field shows them.
 */
export function refusalText(error: Error, wrong: Readonly<Record<string, string>>, hasField: (path: string) => boolean): string {
  const elsewhere = Object.entries(wrong).filter(([path]) => !hasField(path))
  return [messageOf(error), ...elsewhere.map(([path, text]) => `${path}: ${text}`)].join(' ')
}
