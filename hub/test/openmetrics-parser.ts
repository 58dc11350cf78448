import { execFileSync, spawnSync } from 'node:child_process'

/** Debian's Python, whose package python3-prometheus-client has the reference parser of OpenMetrics. */
const PYTHON = '/usr/bin/python3'

const hasParser = spawnSync(PYTHON, ['-c', 'import prometheus_client.openmetrics.parser']).status === 0

/** Options of a test that needs the parser: it says why it is skipped. */
export const withParser = { skip: !hasParser && 'there is no prometheus-client for python3 here' }

/** Family of metrics as the parser read it. `labels` and `value` of each sample are in the order of the text. */
export type ParsedFamily = {
  readonly name: string
  readonly type: string
  readonly unit: string
  readonly samples: readonly { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly value: number }[]
}

const script = (module: string): string => `
import json, sys
from ${module} import text_string_to_metric_families as parse
text = sys.stdin.buffer.read().decode('utf-8')
print(json.dumps([{'name': f.name, 'type': f.type, 'unit': f.unit,
  'samples': [{'name': s.name, 'labels': s.labels, 'value': s.value} for s in f.samples]} for f in parse(text)]))`

/** Parses a response with the reference parser of its format. Throws for a text that violates the format. */
export function parsedMetrics(text: string, format: 'openmetrics' | 'prometheus' = 'openmetrics'): readonly ParsedFamily[] {
  const module = format === 'openmetrics' ? 'prometheus_client.openmetrics.parser' : 'prometheus_client.parser'
  const json = execFileSync(PYTHON, ['-c', script(module)], { input: text, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })
  return JSON.parse(json) as readonly ParsedFamily[] // the script's own shape
}
