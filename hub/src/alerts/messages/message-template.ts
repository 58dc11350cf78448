/**
 * List of the names that a template may have in braces, such as `{system}`. `title` and `text` stand for the standard texts; the others for
 * facts about the alert.
 */
export const placeholders = [
  'title',
  'text',
  'system',
  'alert',
  'target',
  'state',
  'severity',
  'value',
  'threshold',
  'minutes',
  'since',
  'reason',
  'link',
] as const
export type Placeholder = (typeof placeholders)[number]

/**
 * Maximum length, in UTF-16 units, of a message template that a user stores: 200 for a title, 2,000 for a text. A longer template is
 * rejected.
 */
export const templateLimits = { title: 200, text: 2000 } as const

/**
 * Maximum length of a text that a template renders, in UTF-16 units: 500 for a title, 5,000 for a text. It is longer if the standard text
 * is; the rest is cut off.
 */
export const renderedLimits = { title: 500, text: 5000 } as const

const BRACES = /\{([^{}]*)\}/g
/** Regular expression for one control character (also line break and tab), or a line or paragraph separator of Unicode. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/u
const LONGEST_NAME = 40

const isPlaceholder = (name: string): name is Placeholder => placeholders.some((one) => one === name)

/** Returns why a template is invalid, in English, such as `Unknown placeholder {host}.`; `undefined` if it is valid. */
export function templateProblem(part: 'title' | 'text', template: string): string | undefined {
  const most = templateLimits[part]
  if (template.length > most) return `Must be at most ${most} characters.`
  if (CONTROLS.test(part === 'title' ? template : template.replaceAll(/[\n\t]/g, ' ')))
    return part === 'title' ? 'Must not contain line breaks or control characters.' : 'Must not contain control characters.'
  const unknown = [...template.matchAll(BRACES)].map(([, name = '']) => name).find((name) => !isPlaceholder(name))
  return unknown === undefined ? undefined : `Unknown placeholder {${unknown.replaceAll(/[\n\t]/g, ' ').slice(0, LONGEST_NAME)}}.`
}

/**
 * Map from the name of a placeholder in a message template, such as `system`, to the text that replaces it. A placeholder without an entry
 * becomes an empty text.
 */
export type TemplateValues = ReadonlyMap<Placeholder, string>

/**
 * Renders a template. Each placeholder is replaced once, so braces in a value stay as they are. Braces with an unknown name, from a newer
 * hub, stay too. A result above {@link renderedLimits} is cut and ends with `…`. `undefined` if only white space is left.
 */
export function renderTemplate(part: 'title' | 'text', template: string, values: TemplateValues): string | undefined {
  const rendered = template.replaceAll(BRACES, (braces, name: string) => (isPlaceholder(name) ? (values.get(name) ?? '') : braces))
  if (rendered.trim() === '') return undefined
  // Otherwise the template of only the standard text would shorten it.
  const most = Math.max(renderedLimits[part], values.get(part)?.length ?? 0)
  return rendered.length <= most ? rendered : `${rendered.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** Converts a text to one line: each run of line breaks and other control characters becomes one blank. */
export const asOneLine = (value: string): string => value.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
