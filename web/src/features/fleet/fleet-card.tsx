import { memo, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { SystemHealth } from '../../api/system-health.ts'
import { formatUptime } from '../../format/duration.ts'
import { formatPercent } from '../../format/percent.ts'
import { paths } from '../../paths.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { cn } from '../../ui/cn.ts'
import { healthWords } from '../../api/health-words.ts'
import { Meter } from '../../ui/meter.tsx'
import { PlatformIcon } from '../../ui/platform-icon.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import * as words from '../../words/messages.js'
import { hasValues, isLastKnown, oldSecondsOf, type ColumnId, type SystemProps } from './fleet-model.ts'
import { HealthWord } from './health-word.tsx'
import { LastHour } from './last-hour.tsx'
import { RowActions } from './row-actions.tsx'
import { RowCheck } from './row-check.tsx'
import { CardTags } from './card-tags.tsx'
import { Unknown } from './unknown.tsx'

const tints: Partial<Readonly<Record<SystemHealth, string>>> = { down: 'bg-crit-soft', stale: 'bg-warn-soft' }

export const FleetCard = memo(function FleetCard({ system, alertNames, address, health, age, mayChange, onDialog }: SystemProps) {
  const { latest } = system
  const formats = useFormats()
  const uptime = health === 'up' && latest.uptimeSeconds !== undefined ? formatUptime(latest.uptimeSeconds, formats) : undefined
  const isFaded = (column: ColumnId): boolean => isLastKnown(health) || oldSecondsOf(latest, column) !== undefined
  const icon = <StatusIcon status={health} label={health === 'up' ? healthWords.up() : undefined} />
  return (
    <li
      data-health={health}
      className={cn(
        'relative flex h-(--fleet-card-height) flex-col justify-center border-b border-border px-3 last:border-0 has-checked:bg-selected',
        // Tags need the space between the lines: all cards are equally high.
        system.tags.length === 0 ? 'gap-2' : 'gap-0.5',
        tints[health],
      )}
    >
      <div className={cn('flex items-center gap-2.5', system.tags.length === 0 ? 'h-8' : 'h-7')}>
        {mayChange ? <RowCheck system={system}>{icon}</RowCheck> : icon}
        <PlatformIcon os={latest.os} />
        <Link href={paths.system(address)} className="truncate font-medium after:absolute after:inset-0">
          {system.name}
        </Link>
        {health !== 'up' && <HealthWord health={health} reason={latest.remark} />}
        <span className="ml-auto shrink-0 text-small text-muted">{age ?? uptime}</span>
        <RowActions system={system} alertNames={alertNames} address={address} mayChange={mayChange} onDialog={onDialog} />
      </div>
      <CardTags tags={system.tags} />
      {hasValues(latest) ? (
        <div className="grid grid-cols-[5fr_4fr_4fr] gap-3">
          <CardMeter label={words.column_cpu()} percent={latest.cpuPercent} faded={isFaded('cpu')}>
            <LastHour system={system} faded={isFaded('cpu')} className="mx-1 h-4 min-w-0 flex-1" />
          </CardMeter>
          <CardMeter label={words.column_memory()} percent={latest.memoryPercent} faded={isFaded('memory')} />
          <CardMeter label={words.column_disk()} percent={latest.diskPercent} faded={isFaded('disk')} />
        </div>
      ) : (
        // Shown in place of values. Hidden from screen readers, because the health word contains the reason.
        health === 'down' && (
          <p aria-hidden="true" className="truncate text-small text-muted">
            {latest.remark}
          </p>
        )
      )}
    </li>
  )
})

type CardMeterProps = {
  label: string
  percent: number | undefined
  faded: boolean
  /** React nodes that a system's card shows between the label and the number of a value, such as a sparkline of the CPU use. */
  children?: ReactNode
}

function CardMeter({ label, percent, faded, children }: CardMeterProps) {
  const formats = useFormats()
  const text = percent === undefined ? undefined : formatPercent(percent, formats, 0)
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="flex justify-between gap-1 text-small text-muted">
        {label}
        {children}
        {text === undefined ? <Unknown /> : <b className={cn('font-medium', !faded && 'text-text')}>{text}</b>}
      </span>
      {percent !== undefined && text !== undefined && <Meter percent={percent} label={label} text={text} faded={faded} className="h-1.5" />}
    </div>
  )
}
