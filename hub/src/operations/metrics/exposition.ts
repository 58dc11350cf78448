/**
 * Definition of a metric family of `/metrics`: its type, and one sentence (`help`) that describes it. Samples of a counter get the suffix
 * `_total`, those of an info family `_info`.
 */
export type FamilyDefinition = { readonly type: 'gauge' | 'counter' | 'info'; readonly help: string }

/** Label of a Prometheus metric sample as a pair of name and value. The value may be any text. */
export type SampleLabel = readonly [name: string, value: string]

/** Name of the text format of a metrics response: OpenMetrics 1.0.0, or Prometheus text format 0.0.4. */
export type ExpositionFormat = 'openmetrics' | 'prometheus'

/** Map from text format of a metrics response (`openmetrics`, `prometheus`) to the value of its Content-Type header. */
export const contentTypes: Readonly<Record<ExpositionFormat, string>> = {
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
}

/** Maximum length of the value of a Prometheus metric's label, in UTF-16 units (200). Longer values are cut. */
const LONGEST_VALUE = 200

/** List of the units of OpenMetrics in which family names can end, such as `bytes`. A family such as `…_bytes` gets a `# UNIT` line. */
const units = ['bytes', 'seconds', 'ratio', 'celsius', 'watts'] as const

/** Formats the labels of a metric sample as text for between `{` and `}`, with escaped values, each cut to 200 characters. */
export function labelText(labels: readonly SampleLabel[]): string {
  return labels.map(([name, value]) => `${name}="${escaped(value.slice(0, LONGEST_VALUE).toWellFormed())}"`).join(',')
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')

/**
 * Collector of the metric samples of one `/metrics` response for Prometheus: `add` adds one sample, `parts` generates the text of the
 * response.
 */
export type Exposition<Name extends string> = {
  /**
   * Adds a sample to the `/metrics` response. `labels` is from {@link labelText}. Ignores a value that is not finite. Returns false if the
   * response already has its maximum number of samples.
   */
  readonly add: (family: Name, labels: string, value: number) => boolean
  /**
   * Generates the text of the metrics response in pieces, one for each family with samples, in the order of the definitions. In
   * OpenMetrics, `# EOF` follows.
   */
  readonly parts: (format: ExpositionFormat) => Generator<string, void>
}

/**
 * Creates an empty collection of metric samples of the families in `families`. It takes at most `most` samples; further calls of `add`
 * return false.
 */
export function exposition<Name extends string>(families: Readonly<Record<Name, FamilyDefinition>>, most: number): Exposition<Name> {
  const known = Object.entries(families) as [Name, FamilyDefinition][] // the names of the parameter's type
  const types = new Map(known.map(([name, { type }]) => [name, type]))
  const samples = new Map<Name, string[]>()
  let count = 0
  return {
    add(family, labels, value) {
      if (!Number.isFinite(value)) return true
      if (count >= most) return false
      count += 1
      const line = `${family}${suffixes[types.get(family) ?? 'gauge']}${labels === '' ? '' : `{${labels}}`} ${value}\n`
      const lines = samples.get(family)
      if (lines === undefined) samples.set(family, [line])
      else lines.push(line)
      return true
    },
    *parts(format) {
      for (const [name, family] of known) {
        const lines = samples.get(name)
        if (lines !== undefined) yield headOf(name, family, format) + lines.join('')
      }
      if (format === 'openmetrics') yield '# EOF\n'
    },
  }
}

const suffixes: Readonly<Record<FamilyDefinition['type'], string>> = { gauge: '', counter: '_total', info: '_info' }

/**
 * Returns the lines `# TYPE`, `# UNIT` and `# HELP` that precede the samples of a metric family in a response. The Prometheus format has no
 * units and no info families; its lines name the family with the samples' suffix.
 */
function headOf(name: string, { type, help }: FamilyDefinition, format: ExpositionFormat): string {
  const isOpen = format === 'openmetrics'
  const shown = isOpen ? name : name + suffixes[type]
  const unit = units.find((one) => name.endsWith(`_${one}`))
  const lines = [
    `# TYPE ${shown} ${type === 'info' && !isOpen ? 'gauge' : type}`,
    ...(isOpen && unit !== undefined ? [`# UNIT ${shown} ${unit}`] : []),
    `# HELP ${shown} ${help}`,
  ]
  return `${lines.join('\n')}\n`
}

/**
 * Returns the text format for a metrics request's `Accept` header: Prometheus only if the header has `text/plain` and not OpenMetrics,
 * otherwise OpenMetrics.
 */
export const formatFor = (accept: string): ExpositionFormat =>
  accept.includes('text/plain') && !accept.includes('application/openmetrics-text') ? 'prometheus' : 'openmetrics'
