import { families } from '../hub/src/operations/metrics/families.ts'
import { familyLabels } from '../hub/src/operations/metrics/exposed-series.ts'

export const FAMILIES_START = '<!-- families: begin -->'
export const FAMILIES_END = '<!-- families: end -->'

/**
 * Returns the Markdown table of the OpenMetrics families that the hub exports: sample name, labels besides those of the system, and
 * meaning.
 */
export function metricsTable(): string {
  const rows = Object.entries(families).map(([name, { type, help }]) => {
    const sample = name + (type === 'counter' ? '_total' : type === 'info' ? '_info' : '')
    const labels = familyLabels(name).map((label) => `\`${label}\``)
    return `| \`${sample}\` | ${type} | ${labels.join(', ')} | ${help} |`
  })
  return ['| Metric | Type | Further labels | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
