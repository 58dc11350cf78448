import type { Json } from '@vedette/protocol/wire/stats-json'
import { titleOf, type ConfigEntry } from './config-section.ts'
import { textsIn } from './config-fields.ts'
import { pathText } from './config-problem.ts'
import type { SettingDifference } from './config-settings.ts'
import type { ConfigChange, ConfigPlan, FieldDifference } from './plan-config.ts'

const signs = { create: '+', update: '~', delete: '-' } as const

/**
 * Maximum length, in UTF-16 units (200), of one old or new value in the printed changes of a configuration file. A longer value is cut and
 * gets an ellipsis.
 */
const LONGEST = 200

/**
 * Returns the number of changes in a configuration plan. Each changed setting counts as one, as does each created, changed or deleted
 * record.
 */
export const changeCount = ({ settings, signIn, changes }: ConfigPlan): number =>
  settings.differences.length + signIn.differences.length + changes.length

/**
 * Returns the changes of a configuration file as texts for people, one for each change. They begin with `+` (new), `~` (changed) or `-`
 * (deleted). The changed fields of a record follow on indented lines of the same text. Without changes the first text is `no differences`.
 * If the file lacks stored records or providers that stay, a last text counts them by section.
 */
export function changesText({ settings: { differences }, signIn, changes, untouched }: ConfigPlan): readonly string[] {
  const settings = [...differences, ...signIn.differences].map(settingText)
  const providers = signIn.untouched === 0 ? [] : [`${signIn.untouched} in signIn.providers`]
  const counts = [...providers, ...untouched.map(({ section, count }) => `${count} in ${section.name}`)]
  return [
    ...(changes.length + settings.length === 0 ? ['no differences'] : [...settings, ...changes.map(changeText)]),
    ...(counts.length === 0 ? [] : [`Not in the file, and left as they are: ${counts.join(', ')}`]),
  ]
}

function settingText({ path, before, after, isSecret }: SettingDifference): string {
  if (after === undefined) return `${signs.delete} ${pathText(path)}`
  if (before === undefined) return `${signs.create} ${pathText(path)}: ${valueText(after)}`
  return `${signs.update} ${pathText(path)}: ${isSecret ? '***' : `${valueText(before)} -> ${valueText(after)}`}`
}

function changeText({ action, section, entry, differences }: ConfigChange): string {
  const shown = differences.filter(({ field }) => !(action === 'create' && section.key.includes(field.name)))
  const details = shown.map((difference) => differenceText(difference))
  return [`${signs[action]} ${titleOf(section, entry)}`, ...details].join(details.length > 0 ? '\n    ' : '')
}

function differenceText({ field: { name, isSecret }, before, after }: FieldDifference): string {
  if (isSecret === true) return `${name}: ${textsIn(after).length} (***)`
  if (before === undefined) return `${name}: ${valueText(after)}`
  if (!Array.isArray(after)) return `${name}: ${valueText(before)} -> ${valueText(after)}`
  const [known, next] = [textsIn(before), textsIn(after)]
  const added = next.filter((one) => !known.includes(one)).map((one) => `+${valueText(one)}`)
  const removed = known.filter((one) => !next.includes(one)).map((one) => `-${valueText(one)}`)
  return `${name}: ${[...added, ...removed].join(' ')}`
}

function valueText(value: Json | ConfigEntry): string {
  const text = JSON.stringify(value)
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}
