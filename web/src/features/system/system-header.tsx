import type { SystemInfo } from '@vedette/protocol/wire/info-json'
import { type ReactNode } from 'react'
import { Link } from 'wouter'
import { ranges } from '../../api/ranges.ts'
import { healthWords } from '../../api/health-words.ts'
import { AGENT_UPDATE_COMMAND, useNewerAgent } from '../../api/newer-agent.ts'
import { healthOf, type SystemHealth } from '../../api/system-health.ts'
import type { System } from '../../api/system-record.ts'
import type { ChartSpan } from '../../api/stats.ts'
import { formatAge, formatUptime } from '../../format/duration.ts'
import { formatLoad } from '../../format/load.ts'
import { formatPercent } from '../../format/percent.ts'
import { formatTime } from '../../format/time.ts'
import type { ChartWindow } from '../../chart/chart-drawing.ts'
import { LoadedPart } from '../../navigation/loaded-part.tsx'
import { useDialog } from '../../navigation/use-dialog.ts'
import { paths } from '../../paths.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Button, buttonLook } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { Icon } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { PlatformIcon } from '../../ui/platform-icon.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { useNow } from '../../ui/use-now.ts'
import * as words from '../../words/messages.js'
import type { Collecting } from './collected-window.ts'
import { HeaderTags } from './header-tags.tsx'
import { LiveButton } from './live-button.tsx'
import { oldReadings } from './old-readings.ts'
import { rangeNames } from './range-names.ts'
import type { Live } from './use-live-frames.ts'
import { WindowControl } from './window-control.tsx'

const WindowDialog = onDemand(async () => (await import('./window-dialog.tsx')).WindowDialog)

type SystemHeaderProps = {
  system: System
  span: ChartSpan
  window: ChartWindow
  onSpan: (span: ChartSpan) => void
  /** Called with the time window (epoch ms) that the user has chosen in the dialog for the start and end of the charts. */
  onPick: (window: ChartWindow) => void
  onZoomOut: () => void
  live: Live
  onLive: (isLive: boolean) => void
  onAlerts: () => void
  /** Called when the user presses the header's button for the system's tags; it must open the tags dialog. */
  onTags: () => void
  /**
   * True when the system was added within the shown time range. The header then reserves space for a note that data are still being
   * collected.
   */
  isNew: boolean
  collecting: Collecting | undefined
  /** React nodes in the header of a system's page, beside the time range, such as a filter of containers. */
  children?: ReactNode
}

const statusColours: Readonly<Record<SystemHealth, string>> = {
  up: 'text-ok',
  down: 'text-crit',
  stale: 'text-warn',
  paused: 'text-muted',
  pending: 'text-pending',
}

const AGE_INTERVAL_MS = 1_000

export function SystemHeader({
  system,
  span,
  window,
  onSpan,
  onPick,
  onZoomOut,
  live,
  onLive,
  onAlerts,
  onTags,
  isNew,
  collecting,
  children,
}: SystemHeaderProps) {
  const now = useNow(AGE_INTERVAL_MS)
  const formats = useFormats()
  const health = healthOf(system, now)
  const { latest } = system
  const old = oldReadings(latest, now, formats)
  const { dialog, open, close } = useDialog()
  return (
    <div className="z-20 -mx-6 mb-4 border-b border-border bg-canvas px-6 pt-2.5 pb-3 max-sm:-mx-3 max-sm:px-3 sm:sticky sm:top-13">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-80">
          <div className="flex flex-wrap items-center gap-x-3">
            <h1 className="truncate text-title font-semibold tracking-tight">{system.name}</h1>
            <output className={cn('flex items-center gap-1.5 text-note font-medium', statusColours[health])}>
              <StatusIcon status={health} label={undefined} />
              {healthWords[health]()}
            </output>
            <HeaderTags tags={system.tags} onEdit={onTags} />
          </div>
          {/* Reserves the lines of the facts before the first sample, so that nothing below moves. */}
          <div
            className={cn(
              'text-note',
              isNew ? 'max-lg:min-h-[2lh] max-sm:min-h-[4lh]' : latest.sampledAtMs === undefined && 'max-sm:min-h-[3lh]',
            )}
          >
            <Facts system={system} now={now} collecting={collecting} />
            {old !== undefined && <p className="text-warn">{old}</p>}
            <AgentUpdate system={system} />
            {latest.remark !== undefined && <p className="wrap-anywhere text-muted">{latest.remark}</p>}
          </div>
        </div>
        {/* On phones both rows wrap as one. Controls that appear with the data stand beside existing ones, so that nothing moves. */}
        <div className="flex w-full flex-wrap gap-2 sm:w-auto sm:min-w-110 sm:flex-col sm:flex-nowrap sm:items-end sm:gap-1.5">
          <div className="flex gap-2 max-sm:contents">
            {span.kind === 'window' && (
              <Button onClick={onZoomOut} className="text-muted">
                <Icon name="back" />
                <span className="max-sm:sr-only">{words.zoom_out()}</span>
              </Button>
            )}
            <Button look="icon" aria-haspopup="dialog" aria-label={words.alerts()} data-tooltip={words.alerts()} onClick={onAlerts}>
              <Icon name="bell" />
            </Button>
            <Link
              href={`${paths.compare}?systems=${system.id}`}
              aria-label={words.compare()}
              data-tooltip={words.compare()}
              className={buttonLook('icon')}
            >
              <Icon name="compare" />
            </Link>
            <LiveButton live={live} onToggle={() => onLive(live.kind === 'off')} />
            <span className="max-sm:order-2 max-sm:w-full">
              <SegmentedControl
                label={words.time_range()}
                segments={ranges.map(({ id }) => ({ value: id, label: id, name: rangeNames[id]() }))}
                value={span.kind === 'range' && live.kind === 'off' ? span.range.id : undefined}
                onChange={(id) => {
                  const range = ranges.find((one) => one.id === id)
                  if (range !== undefined) onSpan({ kind: 'range', range })
                }}
              />
            </span>
          </div>
          <div className="flex min-h-7 w-full flex-wrap-reverse items-center justify-between gap-x-3 gap-y-1.5 max-sm:contents">
            <span className="flex items-center max-sm:order-1 max-sm:min-w-24 max-sm:flex-1">{children}</span>
            <span className="max-sm:order-3">
              <WindowControl
                window={window}
                onWindow={(moved) => onSpan({ kind: 'window', window: moved })}
                onPick={() => open('window')}
              />
            </span>
          </div>
        </div>
      </div>
      {dialog === 'window' && (
        <LoadedPart>
          <WindowDialog window={window} onPick={onPick} onClose={close} />
        </LoadedPart>
      )}
    </div>
  )
}

function Facts({ system: { host, latest }, now, collecting }: { system: System; now: number; collecting: Collecting | undefined }) {
  const formats = useFormats()
  return (
    <div className="flex flex-wrap gap-x-4 text-muted">
      <span className="flex items-center gap-1.5">
        {latest.os !== undefined && <PlatformIcon os={latest.os} />}
        {host}
      </span>
      {/* Stands before the facts of the first sample, so that it does not move. */}
      {collecting !== undefined && <CollectingFact {...collecting} now={now} />}
      {latest.uptimeSeconds !== undefined && (
        <Fact label={words.fact_up()} tooltip={words.column_uptime()}>
          {formatUptime(latest.uptimeSeconds, formats)}
        </Fact>
      )}
      <CpuFact latest={latest} />
      {latest.loads !== undefined && (
        <Fact label={words.fact_load()} tooltip={words.fact_load_about()}>
          {latest.loads.map((load) => formatLoad(load, formats)).join(' ')}
        </Fact>
      )}
      {latest.memoryPercent !== undefined && <Fact label={words.fact_memory()}>{formatPercent(latest.memoryPercent, formats)}</Fact>}
      {latest.sampledAtMs !== undefined && <Fact label={words.fact_seen()}>{formatAge(now - latest.sampledAtMs, formats)}</Fact>}
    </div>
  )
}

/**
 * React component: line in the header of `system` with the newer agent version that the hub offers, and the update command. Renders nothing
 * when the agent is up to date.
 */
function AgentUpdate({ system }: { system: System }) {
  const newer = useNewerAgent(system)
  if (newer === undefined) return null
  const version = system.latest.agentVersion ?? ''
  return <p className="wrap-anywhere text-muted">{words.agent_update({ version, newer, command: AGENT_UPDATE_COMMAND })}</p>
}

function CollectingFact({ sinceMs, now }: Collecting & { now: number }) {
  const formats = useFormats()
  if (sinceMs === undefined) return <span className="whitespace-nowrap">{words.collected_nothing()}</span>
  const isToday = formatTime(sinceMs, 'day', formats) === formatTime(now, 'day', formats)
  return <Fact label={words.collecting_since()}>{formatTime(sinceMs, isToday ? 'time' : 'dayAndTime', formats)}</Fact>
}

function CpuFact({ latest: { cpuModel, cores, threads } }: { latest: SystemInfo }) {
  if (cpuModel === undefined && cores === undefined) return null
  const counts = [
    ...(cores === undefined ? [] : [words.cores({ count: cores })]),
    ...(threads === undefined ? [] : [words.threads({ count: threads })]),
  ]
  return (
    <span className="min-w-0 truncate">
      {cpuModel}
      {counts.length > 0 && ` (${counts.join(', ')})`}
    </span>
  )
}

function Fact({ label, tooltip, children }: { label: string; tooltip?: string; children: ReactNode }) {
  return (
    <span data-tooltip={tooltip} className="whitespace-nowrap">
      {label} <b className="font-medium text-text">{children}</b>
    </span>
  )
}
