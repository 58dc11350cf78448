import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesOf, type Step } from './value-way.ts'

/** Maximum number of files that chart values pass through from request to pixels, outside node_modules, `ui/` and `format/`. */
const MOST_FILES = 12

const [stats, frame] = ['api/stats.ts', 'chart/series-frame.ts']
const [charts, card] = ['features/system/system-charts.tsx', 'features/system/chart-card.tsx']
const [chart, layout] = ['chart/time-chart.tsx', 'chart/drawing-layout.ts']
const [plot, lines] = ['chart/plot.tsx', 'chart/plot-lines.ts']
/** Declares the names of the charts. No value passes through it. */
const names = 'features/system/charts.ts'

/** The protocol reads records of a preset range; columns of a custom window need no reader. The rest is the same for both. */
const way: readonly Step[] = [
  { by: stats, uses: /\blistRecords\(/, of: 'api/client.ts' },
  { by: stats, uses: /\bgetJson\(/, of: 'api/client.ts' },
  { by: stats, uses: /\breadStatsJson\(/, of: '@vedette/protocol/wire/stats-json' },
  { by: stats, uses: /\bframeOfSamples\(/, of: frame },
  { by: stats, uses: /\bwithGaps\(/, of: frame },
  { by: charts, uses: /\bstatsQuery\(/, of: stats },
  { by: charts, uses: /\bcharts\[/, of: names },
  { by: names, uses: /\bcpuChart\b/, of: 'features/system/host-charts.ts' },
  { by: charts, uses: /\bwithLineStyles\(/, of: 'chart/chart-drawing.ts' },
  { by: charts, uses: /\binChosenUnits\(/, of: 'chart/chart-drawing.ts' },
  { by: charts, uses: /<ChartCard\b/, of: card },
  { by: card, uses: /import\('[^']*time-chart.tsx'\)/, of: chart },
  { by: chart, uses: /\blayoutOf\(/, of: layout },
  { by: chart, uses: /<Plot\b/, of: plot },
  { by: plot, uses: /\bshowIn\(/, of: lines },
  { by: lines, uses: /\blayoutOf\(/, of: layout },
  { by: lines, uses: /\bknownRuns\(/, of: frame },
]

test('chart values pass through few files from their request to their pixels', (t) => {
  const files = filesOf(way).filter((file) => file !== names)
  t.diagnostic(`${files.length} files: ${files.join(', ')}`)
  assert.ok(files.length <= MOST_FILES, `${files.length} files, at most ${MOST_FILES}`)
})
