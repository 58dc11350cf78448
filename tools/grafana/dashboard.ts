import { DashboardCursorSync, FieldColorModeId, ThresholdsMode, VariableRefresh, type Dashboard, type Panel } from '@grafana/schema'

const datasource = { type: 'prometheus', uid: '${datasource}' }
const WIDTH = 24
const HEIGHT = 8
const STAT_HEIGHT = 4
/** Label matcher that limits a PromQL query to the systems selected in Grafana's variable `system`: `system=~"$system"`. */
const SELECTED = 'system=~"$system"'

type Query = { readonly expr: string; readonly legend: string }

const targetsOf = (queries: readonly Query[]) =>
  queries.map(({ expr, legend }, at) => ({ datasource, expr, legendFormat: legend, refId: `query${at}` }))

/**
 * Returns a Grafana panel that shows the value of one PromQL expression as a number. `unit` is a unit id of Grafana; with `isBad`, values
 * of 1 and above are red, lower ones green.
 */
const stat = (title: string, expr: string, { unit = 'short', isBad = false } = {}): Panel => ({
  type: 'stat',
  title,
  datasource,
  targets: targetsOf([{ expr, legend: '' }]),
  fieldConfig: {
    defaults: {
      unit,
      color: { mode: FieldColorModeId.Thresholds },
      thresholds: {
        mode: ThresholdsMode.Absolute,
        steps: [{ value: null, color: isBad ? 'green' : 'text' }, ...(isBad ? [{ value: 1, color: 'red' }] : [])],
      },
    },
    overrides: [],
  },
  options: { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'value', graphMode: 'none' },
})

/**
 * Returns a Grafana panel that draws the results of `queries` (PromQL and legend) as lines over time. `unit` is a unit id of Grafana;
 * ratios use `percentunit`.
 */
const lines = (title: string, unit: string, ...queries: readonly Query[]): Panel => ({
  type: 'timeseries',
  title,
  datasource,
  targets: targetsOf(queries),
  fieldConfig: {
    defaults: { unit, min: 0, ...(unit === 'percentunit' ? { max: 1 } : {}), custom: { lineWidth: 1, fillOpacity: 5, spanNulls: 180_000 } },
    overrides: [],
  },
  options: { legend: { showLegend: true, displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
})

const stats: readonly Panel[] = [
  stat('Systems up', `sum(vedette_system_up{${SELECTED}})`),
  stat('Systems down', `sum(vedette_system_status{${SELECTED},status="down"})`, { isBad: true }),
  stat('Connected agents', 'vedette_hub_connected_agents'),
  stat('Database size', 'vedette_hub_database_size_bytes', { unit: 'bytes' }),
  stat('Hub CPU', 'vedette_hub_cpu_ratio', { unit: 'percentunit' }),
  stat('Hub memory', 'vedette_hub_resident_memory_bytes', { unit: 'bytes' }),
]

const graphs: readonly Panel[] = [
  lines('CPU', 'percentunit', { expr: `vedette_system_cpu_ratio{${SELECTED}}`, legend: '{{system}}' }),
  lines('Memory', 'percentunit', {
    expr: `vedette_system_memory_used_bytes{${SELECTED}} / vedette_system_memory_size_bytes{${SELECTED}}`,
    legend: '{{system}}',
  }),
  lines('Load, 5 minutes', 'short', { expr: `vedette_system_load5{${SELECTED}}`, legend: '{{system}}' }),
  lines('Filesystems', 'percentunit', { expr: `vedette_system_filesystem_used_ratio{${SELECTED}}`, legend: '{{system}} {{filesystem}}' }),
  lines(
    'Network',
    'Bps',
    { expr: `vedette_system_network_received_bytes_per_second{${SELECTED}}`, legend: '{{system}} received' },
    { expr: `vedette_system_network_sent_bytes_per_second{${SELECTED}}`, legend: '{{system}} sent' },
  ),
  lines(
    'Disks',
    'Bps',
    { expr: `vedette_system_disk_read_bytes_per_second{${SELECTED}}`, legend: '{{system}} {{filesystem}} read' },
    { expr: `vedette_system_disk_written_bytes_per_second{${SELECTED}}`, legend: '{{system}} {{filesystem}} written' },
  ),
  lines('Temperatures', 'celsius', { expr: `vedette_system_temperature_celsius{${SELECTED}}`, legend: '{{system}} {{sensor}}' }),
  lines('Swap', 'bytes', { expr: `vedette_system_swap_used_bytes{${SELECTED}}`, legend: '{{system}}' }),
  lines('Container CPU, top 10', 'percentunit', {
    expr: `topk(10, vedette_container_cpu_ratio{${SELECTED}})`,
    legend: '{{system}} {{container}}',
  }),
  lines('Container memory, top 10', 'bytes', {
    expr: `topk(10, vedette_container_memory_bytes{${SELECTED}})`,
    legend: '{{system}} {{container}}',
  }),
]

/**
 * Object with the Grafana dashboard for the OpenMetrics of a hub, in Grafana's JSON format. `tools/describe-grafana.ts` writes it to a
 * file.
 */
export const dashboard: Dashboard = {
  title: 'Vedette',
  uid: 'vedette',
  description: 'Systems and containers that a Vedette hub monitors, from its /metrics.',
  tags: ['vedette'],
  editable: true,
  graphTooltip: DashboardCursorSync.Crosshair,
  refresh: '1m',
  time: { from: 'now-6h', to: 'now' },
  schemaVersion: 39,
  templating: {
    list: [
      { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
      {
        name: 'system',
        label: 'System',
        type: 'query',
        datasource,
        query: { query: 'label_values(vedette_system_up, system)', refId: 'system' },
        refresh: VariableRefresh.onTimeRangeChanged,
        multi: true,
        includeAll: true,
        current: { text: ['All'], value: ['$__all'] },
      },
    ],
  },
  panels: [
    ...stats.map((panel, at) => ({ ...panel, id: at + 1, gridPos: { x: at * 4, y: 0, w: 4, h: STAT_HEIGHT } })),
    ...graphs.map((panel, at) => ({
      ...panel,
      id: stats.length + at + 1,
      gridPos: { x: (at % 2) * (WIDTH / 2), y: STAT_HEIGHT + Math.floor(at / 2) * HEIGHT, w: WIDTH / 2, h: HEIGHT },
    })),
  ],
}

/**
 * List of the PromQL expressions of all panels of the Grafana dashboard. A test checks that the hub exports the metrics that they query.
 */
export const dashboardQueries: readonly string[] = [...stats, ...graphs].flatMap(({ targets = [] }) =>
  targets.map(({ expr }) => String(expr)),
)
