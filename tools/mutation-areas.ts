/**
 * Area of the code for mutation testing, in which tests run against deliberately changed sources. It has a name, the paths of the sources,
 * and those of the fast unit tests that run for each change.
 */
export type MutationArea = { readonly name: string; readonly sources: readonly string[]; readonly tests: readonly string[] }

export const mutationAreas: readonly MutationArea[] = [
  {
    name: 'quiet-hours',
    sources: inFolder('hub/src/alerts/judging', ['quiet-hours', 'zone-clock']),
    tests: inFolder('hub/src/alerts/judging', ['quiet-hours.test', 'zone-clock.test']),
  },
  {
    name: 'alert-state',
    sources: inFolder('hub/src/alerts/judging', ['judgement', 'alert-kinds']),
    tests: inFolder('hub/src/alerts/judging', ['judgement.test', 'alert-kinds.test']),
  },
  {
    name: 'trends',
    sources: inFolder('hub/src/alerts/trends', ['slope', 'fill-forecast']),
    tests: inFolder('hub/src/alerts/trends', ['slope.test', 'fill-forecast.test']),
  },
  {
    name: 'hub-messages',
    sources: [...inFolder('hub/src/platform/cluster', ['nats-address', 'record-order']), 'hub/src/history/read/sample-message.ts'],
    tests: [
      ...inFolder('hub/src/platform/cluster', ['nats-address.test', 'record-order.test']),
      'hub/src/history/read/sample-message.test.ts',
    ],
  },
  {
    name: 'leases',
    sources: inFolder('hub/src/fleet/ownership', ['lease-rules']),
    tests: inFolder('hub/src/fleet/ownership', ['lease-rules.test']),
  },
  {
    name: 'access',
    sources: ['hub/src/records/engine/access.ts', 'hub/src/records/model/stored-record.ts', 'hub/src/records/collections/access-rules.ts'],
    tests: [
      'hub/src/records/engine/access.test.ts',
      'hub/src/records/model/stored-record.test.ts',
      'hub/src/records/collections/access-rules.test.ts',
    ],
  },
  {
    name: 'filter-language',
    sources: inFolder('hub/src/records/filter', ['parse', 'comparison', 'functions']),
    tests: inFolder('hub/src/records/filter', ['parse.test', 'comparison.test', 'functions.test', 'sqlite-numbers.test']),
  },
  {
    name: 'filter-evaluation',
    sources: inFolder('hub/src/records/filter', ['resolve', 'filter-names', 'plan', 'matches']),
    tests: inFolder('hub/src/records/filter', ['resolve.test', 'matches.test', 'filter-names.test']),
  },
  {
    name: 'filter-sql',
    sources: inFolder('hub/src/records/filter', ['to-sql']),
    tests: inFolder('hub/src/records/filter', ['to-sql.test']),
  },
  {
    name: 'roll-ups',
    sources: inFolder('hub/src/history/model', ['roll-up', 'series-table', 'tier', 'precision']),
    tests: inFolder('hub/src/history/model', ['roll-up.test', 'series-table.test', 'tier.test', 'precision.test']),
  },
  {
    name: 'rebuilt-buckets',
    sources: inFolder('hub/src/history/model', ['rebuilt-buckets']),
    tests: inFolder('hub/src/history/model', ['rebuilt-buckets.test']),
  },
  {
    name: 'block-columns',
    sources: ['hub/src/platform/byte-codec.ts', ...inFolder('hub/src/history/codec', ['number-column', 'time-column'])],
    tests: ['hub/src/platform/byte-codec.test.ts', ...inFolder('hub/src/history/codec', ['number-column.test', 'time-column.test'])],
  },
  {
    name: 'block-codec',
    sources: inFolder('hub/src/history/codec', ['block-codec', 'sample-codec']),
    tests: inFolder('hub/src/history/codec', ['block-codec.test', 'sample-codec.test']),
  },
  {
    name: 'wire-documents',
    sources: inFolder('protocol/src/wire', ['document-decode', 'stats-decode', 'field-reader', 'present', 'units']),
    tests: inFolder('protocol/src/wire', ['field-reader.test', 'stats-decode.test', 'document-decode.test', 'units.test']),
  },
  {
    // Documents of agents before 0.12; the JSON of records is no wire format.
    name: 'wire-json',
    sources: inFolder('protocol/src/wire', ['document-json']),
    tests: inFolder('protocol/src/wire', ['document-json.test']),
  },
  {
    // The columns of records.
    name: 'stats-json',
    sources: inFolder('protocol/src/wire', ['stats-json']),
    tests: inFolder('protocol/src/wire', ['json-columns.test', 'stats-json.test']),
  },
  {
    name: 'info-json',
    sources: inFolder('protocol/src/wire', ['info-json']),
    tests: inFolder('protocol/src/wire', ['info-json.test', 'json-columns.test']),
  },
  {
    name: 'wire-messages',
    sources: inFolder('protocol/src/wire', ['envelope', 'request', 'smart', 'diagnosis', 'version', 'legacy-reply', 'legacy-text']),
    tests: inFolder('protocol/src/wire', [
      'envelope.test',
      'request.test',
      'smart.test',
      'diagnosis.test',
      'version.test',
      'legacy-reply.test',
      'legacy-text.test',
    ]),
  },
  {
    name: 'cbor',
    sources: inFolder('protocol/src/cbor', ['decode', 'encode', 'value']),
    tests: inFolder('protocol/src/cbor', ['decode.test', 'encode.test']),
  },
  {
    name: 'chart-models',
    sources: inFolder('web/src/chart', [
      'axis',
      'chart-drawing',
      'crosshair',
      'drawing-layout',
      'panned-window',
      'plot-lines',
      'series-frame',
      'svg-line',
      'tooltip-model',
    ]),
    tests: inFolder('web/src/chart', [
      'axis.test',
      'chart-drawing.test',
      'crosshair.test',
      'drawing-layout.test',
      'panned-window.test',
      'plot-lines.test',
      'series-frame.test',
      'svg-line.test',
      'tooltip-model.test',
    ]),
  },
]

function inFolder(folder: string, names: readonly string[]): readonly string[] {
  return names.map((name) => `${folder}/${name}.ts`)
}
