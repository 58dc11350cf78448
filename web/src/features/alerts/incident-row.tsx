import { useState } from 'react'
import { Link } from 'wouter'
import { acknowledgedWords } from '../../api/acknowledgement-words.ts'
import { alertKind, alertLabel } from '../../api/alert-kinds.ts'
import type { Incident } from '../../api/incidents.ts'
import type { Formats } from '../../format/formats.ts'
import { formatSpan } from '../../format/span.ts'
import { formatThreshold } from '../../format/threshold.ts'
import { formatTime, formatWindow, withYears } from '../../format/time.ts'
import { paths } from '../../paths.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import * as words from '../../words/messages.js'
import { AcknowledgeDialog } from './acknowledge-dialog.tsx'

/**
 * React component: list item of `incident` (firing period of an alert): system, alert, value against threshold, time range, and reactions
 * such as an acknowledgement. A firing one has a button that acknowledges it.
 */
export function IncidentRow({ incident }: { incident: Incident }) {
  const { system, systemName, name, target, beganMs, endedMs, isWarning, isClosed, isSilenced } = incident
  const formats = useFormats()
  const [isAcknowledging, setAcknowledging] = useState(false)
  const alert = words.alert_of_system({ alert: alertLabel(name, target), name: systemName })
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-2.5">
      <span
        aria-hidden="true"
        className={cn(
          'size-2 shrink-0 rounded-full',
          endedMs !== undefined || isSilenced ? 'bg-track' : isWarning ? 'bg-warn-fill' : 'bg-crit-fill',
        )}
      />
      <span className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <Link href={paths.system(system)} className="font-medium hover:underline">
          {systemName}
        </Link>{' '}
        <span>{alertLabel(name, target)}</span>
        <span className="block text-note text-muted">
          {isWarning ? words.incident_warning({ level: levelOf(incident, formats) }) : levelOf(incident, formats)}
        </span>
        {reactionsTo(incident, formats).map((reaction) => (
          <span key={reaction} className="block text-note text-muted">
            {reaction}
          </span>
        ))}
      </span>
      <span className="text-note text-muted tabular-nums max-sm:pl-5 sm:text-right">
        {endedMs === undefined
          ? words.firing_since({ time: formatTime(beganMs, 'dayAndTime', withYears(formats)) })
          : formatWindow(beganMs, endedMs, withYears(formats))}
        {endedMs !== undefined && (
          <span className="block">
            {isClosed ? words.incident_closed() : words.incident_lasted({ span: formatSpan(endedMs - beganMs, formats) })}
          </span>
        )}
      </span>
      {endedMs === undefined && (
        <Button className="max-sm:ml-5" aria-label={words.acknowledge_title({ alert })} onClick={() => setAcknowledging(true)}>
          {words.acknowledge()}
        </Button>
      )}
      {isAcknowledging && <AcknowledgeDialog incident={incident} name={alert} onClose={() => setAcknowledging(false)} />}
    </li>
  )
}

/**
 * Returns a list of translated sentences about what happened after an alert fired: it was silenced by an outage, escalated to people, or
 * acknowledged. Empty for none.
 */
function reactionsTo(incident: Incident, formats: Formats): readonly string[] {
  const { isSilenced, escalated, ownerName, acknowledgement } = incident
  const names = escalated.map((name) => name ?? words.incident_escalated_own()).join(', ')
  return [
    ...(isSilenced ? [silenceOf(incident)] : []),
    ...(names === '' ? [] : [words.incident_escalated({ names })]),
    ...(ownerName === undefined ? [] : [words.incident_of_other({ name: ownerName || words.incident_other_person() })]),
    ...(acknowledgement === undefined ? [] : [acknowledgedWords(acknowledgement, formats)]),
  ]
}

function levelOf({ name, value, threshold, minutes }: Incident, formats: Formats): string {
  const kind = alertKind(name)
  if (name === 'Status') return words.incident_down({ minutes })
  if (kind?.sentence !== undefined) return kind.sentence(minutes)
  const unit = kind?.unit ?? ''
  const level = formatThreshold(threshold, unit, formats)
  if (value === undefined) return level
  if (kind?.isForecast === true) return words.incident_forecast({ value: formatThreshold(value, unit, formats), level })
  const side = kind?.direction === 'below' ? words.incident_below : words.incident_above
  return side({ value: formatThreshold(value, unit, formats), level, minutes })
}

function silenceOf({ cause, endedMs }: Incident): string {
  if (cause === undefined) return words.incident_silenced()
  return endedMs === undefined ? words.incident_silenced_by({ name: cause }) : words.incident_was_silenced_by({ name: cause })
}
