import { memo, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { SystemHealth } from '../../api/system-health.ts'
import type { System } from '../../api/system-record.ts'
import { formatNetworkRate } from '../../format/bytes.ts'
import { formatLoad } from '../../format/load.ts'
import { formatAge, formatUptime } from '../../format/duration.ts'
import { formatTemperature } from '../../format/temperature.ts'
import type { Formats } from '../../format/formats.ts'
import { paths } from '../../paths.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { cn } from '../../ui/cn.ts'
import { healthWords } from '../../api/health-words.ts'
import { onDemand } from '../../ui/on-demand.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { PlatformIcon } from '../../ui/platform-icon.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import * as words from '../../words/messages.js'
import { AgentVersion } from './agent-version.tsx'
import type { FleetColumn } from './fleet-columns.ts'
import { isLastKnown, oldSecondsOf, type ColumnId, type SystemProps } from './fleet-model.ts'
import { HealthWord } from './health-word.tsx'
import { LastHour } from './last-hour.tsx'
import { MeterCell } from './meter-cell.tsx'
import { RowActions } from './row-actions.tsx'
import { RowCheck } from './row-check.tsx'
import { Unknown } from './unknown.tsx'

const RowTags = onDemand(async () => (await import('./row-tags.tsx')).RowTags)

type FleetRowProps = SystemProps & { rowIndex: number; columns: readonly FleetColumn[] }

const tints: Partial<Readonly<Record<SystemHealth, string>>> = { down: 'bg-crit-soft', stale: 'bg-warn-soft' }

/**
 * React component: row of one system in the systems table, with its values in `columns`. Memoized, so that a change of another system does
 * not render it again. `onDialog` opens a dialog about the system.
 */
export const FleetRow = memo(function FleetRow({
  system,
  alertNames,
  address,
  health,
  age,
  rowIndex,
  columns,
  mayChange,
  onDialog,
}: FleetRowProps) {
  // Rerenders the row when the formats change.
  useFormats()
  return (
    <tr
      aria-rowindex={rowIndex}
      data-health={health}
      className={cn(
        'group relative h-(--row-height) border-b border-border last:border-0 hover:bg-hover has-checked:bg-selected hover:has-checked:bg-[color-mix(in_srgb,var(--selected),var(--accent)_8%)]',
        tints[health],
      )}
    >
      {columns.map(({ id, className, isNumber = false }) =>
        id === 'system' ? (
          <th key={id} scope="row" className="px-3 text-left font-normal">
            <span className="flex items-center gap-2.5">
              {mayChange && <RowCheck system={system} />}
              <StatusIcon status={health} label={health === 'up' ? healthWords.up() : undefined} />
              <PlatformIcon os={system.latest.os} />
              <Link href={paths.system(address)} className="truncate font-medium after:absolute after:inset-0">
                {system.name}
              </Link>
              {health !== 'up' && <HealthWord health={health} reason={system.latest.remark} />}
              {age !== undefined && health !== 'paused' && <span className="shrink-0 text-small text-muted">{age}</span>}
            </span>
          </th>
        ) : (
          <Cell
            key={id}
            id={id}
            system={system}
            health={health}
            className={cn('px-3 whitespace-nowrap', className, isNumber && 'text-right')}
          />
        ),
      )}
      <td className="pr-2 text-right">
        <RowActions system={system} alertNames={alertNames} address={address} mayChange={mayChange} onDialog={onDialog} />
      </td>
    </tr>
  )
})

type CellProps = { id: FleetColumn['id']; system: System; health: SystemHealth; className: string }

function Cell({ id, system, health, className }: CellProps) {
  const formats = useFormats()
  if (id === 'hour') {
    return (
      <td className={className}>
        <WideLastHour system={system} faded={isLastKnown(health) || oldSecondsOf(system.latest, 'cpu') !== undefined} />
      </td>
    )
  }
  if (id === 'tags') return <td className={className}>{system.tags.length > 0 && <RowTags tags={system.tags} />}</td>
  const oldSeconds = oldSecondsOf(system.latest, id)
  const faded = isLastKnown(health) || oldSeconds !== undefined
  const age = oldSeconds === undefined ? undefined : words.reading_age({ age: formatAge(oldSeconds * 1000, formats) })
  return (
    <td className={cn(className, faded && 'text-muted')} data-tooltip={age}>
      {cellContent(id, system, faded, formats)}
      {age !== undefined && <span className="sr-only">{age}</span>}
    </td>
  )
}

/**
 * React component: small line chart (sparkline) of a system's CPU usage in the last hour. It is rendered, and its data fetched, only in
 * browser windows wide enough for its column.
 */
function WideLastHour(props: { system: System; faded: boolean }) {
  const isShown = useMediaQuery('(width >= 80rem)')
  return isShown ? <LastHour {...props} className="h-5.5 w-21" /> : null
}

function cellContent(id: ColumnId, system: System, faded: boolean, formats: Formats): ReactNode {
  const { latest } = system
  switch (id) {
    case 'system':
    case 'tags':
      return null
    case 'cpu':
      return <MeterCell percent={latest.cpuPercent} label={words.column_cpu()} faded={faded} />
    case 'memory':
      return <MeterCell percent={latest.memoryPercent} label={words.column_memory()} faded={faded} />
    case 'disk':
      return <MeterCell percent={latest.diskPercent} label={words.column_disk()} faded={faded} />
    case 'load':
      return known(latest.loads?.[0], (load) => formatLoad(load, formats))
    case 'network':
      return known(latest.networkBytesPerSecond, (rate) => formatNetworkRate(rate, formats))
    case 'temperature':
      return known(latest.temperatureCelsius, (celsius) => formatTemperature(celsius, formats))
    case 'uptime':
      return known(latest.uptimeSeconds, (seconds) => formatUptime(seconds, formats))
    case 'agent':
      return <AgentVersion system={system} />
  }
}

const known = <T,>(value: T | undefined, format: (value: T) => string): ReactNode => (value === undefined ? <Unknown /> : format(value))
