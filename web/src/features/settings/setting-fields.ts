import type { Settings } from '../../preferences/settings.ts'
import type { Choice } from '../../ui/select-list.tsx'
import * as words from '../../words/messages.js'
import { zoneChoices } from './zone-choices.ts'

/**
 * Field of the settings page for a setting with a few choices. `valueOf` returns the selected choice for the user's settings, `changeOf`
 * the settings to change for a choice. `hint` is the text below.
 */
export type SettingField = {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly choices: readonly Choice<string>[]
  readonly valueOf: (settings: Settings) => string
  readonly changeOf: (value: string) => Partial<Settings>
}

const NONE = 'none'
const pageWidths = [1280, 1440, 1680, 2000] as const

const rates = (): SettingField['choices'] => [
  { value: 'bytes', label: words.rate_bytes() },
  { value: 'bits', label: words.rate_bits() },
]

const ranges: Readonly<Record<Settings['range'], () => string>> = {
  '1h': words.range_1h,
  '12h': words.range_12h,
  '24h': words.range_24h,
  '1w': words.range_1w,
  '30d': words.range_30d,
}

const rangeIds = ['1h', '12h', '24h', '1w', '30d'] as const

/** Returns the list of form fields for all settings with a few choices (units, formats, layout), in display order. */
export const settingFields = ({ timeZone: chosenZone }: Settings): readonly SettingField[] => [
  {
    id: 'temperature',
    label: words.setting_temperature(),
    choices: [
      { value: 'celsius', label: '°C' },
      { value: 'fahrenheit', label: '°F' },
    ],
    valueOf: ({ temperature }) => temperature,
    changeOf: (value) => ({ temperature: value === 'fahrenheit' ? 'fahrenheit' : 'celsius' }),
  },
  {
    id: 'network',
    label: words.setting_network(),
    choices: rates(),
    valueOf: ({ network }) => network,
    changeOf: (value) => ({ network: value === 'bits' ? 'bits' : 'bytes' }),
  },
  {
    id: 'disk',
    label: words.setting_disk(),
    choices: rates(),
    valueOf: ({ disk }) => disk,
    changeOf: (value) => ({ disk: value === 'bits' ? 'bits' : 'bytes' }),
  },
  {
    id: 'hours',
    label: words.setting_hours(),
    choices: [
      { value: NONE, label: words.setting_by_language() },
      { value: '24', label: words.hours_24() },
      { value: '12', label: words.hours_12() },
    ],
    valueOf: ({ hours }) => (hours === undefined ? NONE : String(hours)),
    changeOf: (value) => ({ hours: value === '24' ? 24 : value === '12' ? 12 : undefined }),
  },
  {
    id: 'timeZone',
    label: words.setting_time_zone(),
    hint: words.setting_time_zone_about(),
    choices: [{ value: NONE, label: words.setting_by_browser() }, ...zoneChoices(chosenZone)],
    valueOf: ({ timeZone }) => timeZone ?? NONE,
    changeOf: (value) => ({ timeZone: value === NONE ? undefined : value }),
  },
  {
    id: 'range',
    label: words.setting_range(),
    hint: words.setting_range_about(),
    choices: rangeIds.map((id) => ({ value: id, label: ranges[id]() })),
    valueOf: ({ range }) => range,
    changeOf: (value) => ({ range: rangeIds.find((id) => id === value) ?? '1h' }),
  },
  {
    id: 'density',
    label: words.setting_density(),
    choices: [
      { value: 'normal', label: words.density_normal() },
      { value: 'compact', label: words.density_compact() },
    ],
    valueOf: ({ isCompact }) => (isCompact ? 'compact' : 'normal'),
    changeOf: (value) => ({ isCompact: value === 'compact' }),
  },
  {
    id: 'chartColumns',
    label: words.setting_columns(),
    choices: [
      { value: '2', label: words.columns_two() },
      { value: '1', label: words.columns_one() },
    ],
    valueOf: ({ chartColumns }) => String(chartColumns),
    changeOf: (value) => ({ chartColumns: value === '1' ? 1 : 2 }),
  },
  {
    id: 'pageWidth',
    label: words.setting_width(),
    choices: [
      { value: NONE, label: words.setting_width_usual() },
      ...pageWidths.map((width) => ({ value: String(width), label: words.with_unit({ number: String(width), unit: 'px' }) })),
    ],
    // A width stored by another client is shown as the next larger choice.
    valueOf: ({ pageWidth }) => String(pageWidths.find((width) => pageWidth !== undefined && width >= pageWidth) ?? NONE),
    changeOf: (value) => ({ pageWidth: value === NONE ? undefined : Number(value) }),
  },
]
