import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getJson } from '../../api/client.ts'
import { officeKeys } from '../../api/keys.ts'
import { formatAmount, formatBytes, withUnit } from '../../format/bytes.ts'
import { formatPercent } from '../../format/percent.ts'
import { wordField } from '../../navigation/search.ts'
import { useSearchValues } from '../../navigation/use-search-values.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import * as words from '../../words/messages.js'
import { HealthChart, type HealthChartProps } from './health-chart.tsx'
import { HubList } from './hub-list.tsx'
import { readHealth } from './hub-health.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const spans = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS } as const
type Span = keyof typeof spans

// TypeScript types the keys of a constant object as strings.
const fields = { span: wordField(Object.keys(spans) as Span[], '24h') }

/** React component, health page of the hub: CPU, memory, event loop delay, database size, agents and queues over time. */
export function HealthPage() {
  usePageTitle(words.office_health())
  const { values, step } = useSearchValues(fields)
  const { span } = values
  const health = useQuery({
    queryKey: officeKeys.hubHealth(span),
    queryFn: async ({ signal }) => {
      const to = Date.now()
      return readHealth(await getJson(`/api/vedette/hub-health?from=${to - spans[span]}&to=${to}`, signal))
    },
    refetchInterval: MINUTE_MS,
    placeholderData: keepPreviousData,
  })
  const names: readonly (readonly [Span, string, string])[] = [
    ['1h', words.office_log_hour(), words.office_log_hour_long()],
    ['24h', words.office_log_day(), words.office_log_day_long()],
    ['7d', words.office_log_week(), words.office_log_week_long()],
    ['30d', words.office_health_month(), words.office_health_month_long()],
  ]
  return (
    <div className="flex flex-col gap-3.5">
      <PageHeader title={words.office_health()} description={words.office_health_about()} />
      <HubList />
      <div className="flex">
        <SegmentedControl
          label={words.office_log_span()}
          segments={names.map(([value, label, name]) => ({ value, label, name }))}
          value={span}
          onChange={(value) => step({ span: value })}
        />
      </div>
      {health.data?.untrustedForwarding.map(({ address, header }) => (
        <p key={address} className="max-w-prose text-note">
          {words.office_health_forwarding({ address, header })}
        </p>
      ))}
      <Awaited query={health} placeholder="h-96">
        {({ frame }) => (
          <div className="grid gap-3.5 xl:grid-cols-2">
            {charts().map((chart) => (
              <HealthChart key={chart.title} {...chart} frame={frame} />
            ))}
          </div>
        )}
      </Awaited>
    </div>
  )
}

const charts = (): readonly Omit<HealthChartProps, 'frame'>[] => [
  {
    title: words.office_health_cpu(),
    about: words.office_health_cpu_about(),
    lines: [{ sign: 'cpuPercent', name: '' }],
    format: (percent, formats) => formatPercent(percent, formats),
    unit: 'percent',
  },
  {
    title: words.office_health_memory(),
    about: words.office_health_memory_about(),
    lines: [
      { sign: 'residentBytes', name: words.office_health_resident() },
      { sign: 'heapBytes', name: words.office_health_heap() },
    ],
    format: formatBytes,
    unit: 'bytes',
  },
  {
    title: words.office_health_loop(),
    about: words.office_health_loop_about(),
    lines: [{ sign: 'loopLateMs', name: '' }],
    format: (ms, formats) => withUnit(ms, 'ms', formats),
    unit: 'milliseconds',
  },
  {
    title: words.office_health_database(),
    about: words.office_health_database_about(),
    lines: [{ sign: 'databaseBytes', name: '' }],
    format: formatBytes,
    unit: 'bytes',
  },
  {
    title: words.office_health_agents(),
    about: words.office_health_agents_about(),
    lines: [{ sign: 'agents', name: '' }],
    format: formatAmount,
    unit: 'count',
  },
  {
    title: words.office_health_waiting(),
    about: words.office_health_waiting_about(),
    lines: [
      { sign: 'waitingSamples', name: words.office_health_samples() },
      { sign: 'waitingMessages', name: words.office_health_messages() },
      { sign: 'waitingLogs', name: words.office_health_logs() },
    ],
    format: formatAmount,
    unit: 'count',
  },
]
