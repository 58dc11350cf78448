import type { Container, Drive, Service } from '../../../api/inventory.ts'
import { formatAmount, formatBytes, formatNetworkRate } from '../../../format/bytes.ts'
import { formatAge } from '../../../format/duration.ts'
import type { Formats } from '../../../format/formats.ts'
import { formatPercent } from '../../../format/percent.ts'
import { formatTemperature } from '../../../format/temperature.ts'
import { cn } from '../../../ui/cn.ts'
import * as words from '../../../words/messages.js'
import type { InventoryColumn } from './inventory-column.ts'

const UNKNOWN = '–'

const healthNames: Readonly<Record<Container['health'], () => string>> = {
  none: () => UNKNOWN,
  starting: words.health_starting,
  healthy: words.health_healthy,
  unhealthy: words.health_unhealthy,
}

/**
 * React component: word in a table cell that describes a state, such as "failed": green for `good`, red for `bad`, usual colour for
 * `plain`.
 */
const Word = ({ tone, children }: { tone: 'good' | 'bad' | 'plain'; children: string }) => (
  <span className={cn(tone === 'good' && 'text-ok', tone === 'bad' && 'font-medium text-crit')}>{children}</span>
)

const Name = ({ name, about }: { name: string; about?: string }) => (
  <span className="block truncate font-medium text-text" data-tooltip={about === undefined || about === '' ? name : `${name}\n${about}`}>
    {name}
  </span>
)

type Using = { readonly cpuPercent: number | undefined; readonly memoryBytes: number | undefined }

/** Returns the text that `format` makes of a table cell's value, or a dash when the value is `undefined` (unknown). */
const orUnknown = (value: number | undefined, format: (value: number) => string): string => (value === undefined ? UNKNOWN : format(value))

const ContainerName = (shown: { name: string; about: string }) => (
  <span className="flex items-center gap-2">
    <span data-platform="container" className="platform" />
    <Name {...shown} />
  </span>
)

const cpuColumn = (formats: Formats): InventoryColumn<Using> => ({
  id: 'cpu',
  title: words.column_cpu,
  isNumber: true,
  cell: ({ cpuPercent }) => orUnknown(cpuPercent, (value) => formatPercent(value, formats)),
  order: ({ cpuPercent }) => cpuPercent,
  sum: { amount: ({ cpuPercent }) => cpuPercent, format: (sum) => formatPercent(sum, formats) },
})

const memoryColumn = (formats: Formats): InventoryColumn<Using> => ({
  id: 'memory',
  title: words.column_memory,
  isNumber: true,
  cell: ({ memoryBytes }) => orUnknown(memoryBytes, (value) => formatBytes(value, formats)),
  order: ({ memoryBytes }) => memoryBytes,
  sum: { amount: ({ memoryBytes }) => memoryBytes, format: (sum) => formatBytes(sum, formats) },
})

export const containerColumns = (formats: Formats): readonly InventoryColumn<Container>[] => [
  {
    id: 'name',
    title: words.column_name,
    cell: ({ name, image }) => <ContainerName name={name} about={image} />,
    order: ({ name }) => name,
  },
  {
    ...cpuColumn(formats),
    className: 'w-28 max-lg:w-20 max-sm:w-18',
    cell: ({ cpuPercent, cpuLimit }) => (
      <span data-tooltip={cpuLimit === undefined ? undefined : words.cpu_limit({ cpus: formatAmount(cpuLimit, formats) })}>
        {orUnknown(cpuPercent, (value) => formatPercent(value, formats))}
      </span>
    ),
  },
  {
    ...memoryColumn(formats),
    className: 'w-36 max-sm:hidden',
    cell: ({ memoryBytes, memoryLimitBytes }) => (
      <>
        {orUnknown(memoryBytes, (value) => formatBytes(value, formats))}
        {memoryLimitBytes !== undefined && (
          <span className="text-muted"> {words.of_total({ total: formatBytes(memoryLimitBytes, formats) })}</span>
        )}
      </>
    ),
  },
  {
    id: 'network',
    title: words.column_network,
    isNumber: true,
    className: 'w-28 max-lg:w-24 max-md:hidden',
    cell: ({ networkBytesPerSecond }) => orUnknown(networkBytesPerSecond, (value) => formatNetworkRate(value, formats)),
    order: ({ networkBytesPerSecond }) => networkBytesPerSecond,
    sum: { amount: ({ networkBytesPerSecond }) => networkBytesPerSecond, format: (sum) => formatNetworkRate(sum, formats) },
  },
  {
    id: 'restarts',
    title: words.column_restarts,
    isNumber: true,
    className: 'w-24 max-xl:hidden',
    cell: ({ restarts }) => orUnknown(restarts, (value) => formatAmount(value, formats)),
    order: ({ restarts }) => restarts,
    sum: { amount: ({ restarts }) => restarts, format: (sum) => formatAmount(sum, formats) },
  },
  {
    id: 'health',
    title: words.column_health,
    className: 'w-28 max-lg:w-24 max-md:hidden',
    cell: ({ health }) => (
      <Word tone={health === 'healthy' ? 'good' : health === 'unhealthy' ? 'bad' : 'plain'}>{healthNames[health]()}</Word>
    ),
    order: ({ health }) => health,
  },
  {
    id: 'status',
    title: words.column_status,
    className: 'max-lg:hidden w-32',
    cell: ({ status }) => status || UNKNOWN,
    order: ({ status }) => status,
  },
  {
    id: 'ports',
    title: words.column_ports,
    className: 'max-xl:hidden w-40',
    cell: ({ ports }) => ports || UNKNOWN,
    order: ({ ports }) => ports,
  },
  {
    id: 'image',
    title: words.column_image,
    className: 'max-xl:hidden w-44',
    cell: ({ image }) => image || UNKNOWN,
    order: ({ image }) => image,
  },
]

const stateNames: Readonly<Record<NonNullable<Service['state']>, () => string>> = {
  active: words.service_active,
  inactive: words.service_inactive,
  failed: words.service_failed,
  activating: words.service_activating,
  deactivating: words.service_deactivating,
  reloading: words.service_reloading,
}

export const serviceColumns = (formats: Formats): readonly InventoryColumn<Service>[] => [
  { id: 'name', title: words.column_name, cell: ({ name }) => <Name name={name} />, order: ({ name }) => name },
  {
    id: 'state',
    title: words.column_state,
    className: 'w-28',
    cell: ({ state }) => (
      <Word tone={state === 'active' ? 'good' : state === 'failed' ? 'bad' : 'plain'}>
        {state === undefined ? UNKNOWN : stateNames[state]()}
      </Word>
    ),
    order: ({ state }) => state,
  },
  {
    id: 'sub',
    title: words.column_sub_state,
    className: 'w-28 max-md:hidden',
    cell: ({ subState }) => subState ?? UNKNOWN,
    order: ({ subState }) => subState,
  },
  { ...cpuColumn(formats), className: 'w-28 max-sm:hidden' },
  { ...memoryColumn(formats), className: 'w-28 max-sm:hidden' },
  {
    id: 'peak',
    title: words.column_peak,
    isNumber: true,
    className: 'w-28 max-lg:hidden',
    cell: ({ memoryPeakBytes }) => formatBytes(memoryPeakBytes, formats),
    order: ({ memoryPeakBytes }) => memoryPeakBytes,
  },
]

export const driveColumns = (now: number, formats: Formats): readonly InventoryColumn<Drive>[] => [
  { id: 'name', title: words.column_name, cell: ({ name, model }) => <Name name={name} about={model} />, order: ({ name }) => name },
  {
    id: 'model',
    title: words.column_model,
    className: 'max-md:hidden w-56',
    cell: ({ model }) => model || UNKNOWN,
    order: ({ model }) => model,
  },
  {
    id: 'health',
    title: words.column_health,
    className: 'w-28',
    cell: ({ state }) => <Word tone={state === 'PASSED' ? 'good' : state === 'FAILED' ? 'bad' : 'plain'}>{state || UNKNOWN}</Word>,
    order: ({ state }) => state,
  },
  {
    id: 'temperature',
    title: words.column_temperature,
    isNumber: true,
    className: 'w-28',
    cell: ({ celsius }) => (celsius === undefined ? UNKNOWN : formatTemperature(celsius, formats)),
    order: ({ celsius }) => celsius,
  },
  {
    id: 'capacity',
    title: words.column_capacity,
    isNumber: true,
    className: 'w-28 max-sm:hidden',
    cell: ({ capacityBytes }) => (capacityBytes === undefined ? UNKNOWN : formatBytes(capacityBytes, formats)),
    order: ({ capacityBytes }) => capacityBytes,
  },
  {
    id: 'hours',
    title: words.column_hours,
    isNumber: true,
    className: 'w-28 max-lg:hidden',
    cell: ({ hours }) => (hours === undefined ? UNKNOWN : formatAmount(hours, formats)),
    order: ({ hours }) => hours,
  },
  {
    id: 'read',
    title: words.column_read,
    className: 'w-28 max-lg:hidden',
    cell: ({ readAtMs }) => (readAtMs === undefined ? UNKNOWN : formatAge(now - readAtMs, formats)),
    order: ({ readAtMs }) => readAtMs,
  },
]
