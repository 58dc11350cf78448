import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { alertLabel, MOST_MINUTES, STANDARD_MINUTES, type AlertKind } from '../../api/alert-kinds.ts'
import { messageOf } from '../../api/request-failed.ts'
import { removeAlert, setAlert, type SystemAlert } from '../../api/system-alerts.ts'
import { Slider } from '../../ui/slider.tsx'
import { Switch } from '../../ui/switch.tsx'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'
import { alertSentence } from './alert-sentence.ts'
import { RehearsalStrip } from './rehearsal-strip.tsx'

/** Sliders are stored once they rest. */
const REST_MS = 400

type Wish = { readonly value: number; readonly minutes: number }
type AlertCardProps = {
  kind: AlertKind
  systemId: string
  /** The part that it is about, of a kind about one. */
  target?: string
  alert: SystemAlert | undefined
  onStored: () => void
}

/** One rule: whether it is on, what it asks for in one sentence, and what it would have done in the past. */
export function AlertCard({ kind, systemId, target, alert, onStored }: AlertCardProps) {
  const id = useId()
  const [isOn, setOn] = useState(alert !== undefined)
  const [wish, setWish] = useState<Wish>(() => wishOf(kind, alert))
  const place = { systems: [systemId], name: kind.name, target }
  const store = useMutation({
    mutationFn: (next: Wish | undefined) => (next === undefined ? removeAlert(place) : setAlert({ ...place, ...next })),
    // One after the other: the last one counts.
    scope: { id: `alert ${systemId} ${kind.name} ${target ?? ''}` },
    onSuccess: onStored,
  })
  const rested = useRested((next) => store.mutate(next))

  return (
    <li className="rounded-card border border-border bg-surface px-4 py-3">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <h3 id={id} className="font-semibold">
            {alertLabel(kind.name, target)}
            {alert?.isFiring === true && <span className="ml-2 text-note font-medium text-crit">{words.alert_is_firing()}</span>}
          </h3>
          <p className="text-note text-muted">{alertSentence(kind, wish)}</p>
        </div>
        <Switch
          labelledBy={id}
          isOn={isOn}
          onChange={(next) => {
            setOn(next)
            rested.forget()
            store.mutate(next ? wish : undefined, { onError: () => setOn(!next) })
          }}
        />
      </div>
      {isOn && kind.isAtOnce !== true && (
        <Levels
          kind={kind}
          systemId={systemId}
          target={target}
          wish={wish}
          onWish={(next) => {
            setWish(next)
            rested.later(next)
          }}
        />
      )}
      {store.isError && <FormError message={messageOf(store.error)} />}
    </li>
  )
}

type LevelsProps = { kind: AlertKind; systemId: string; target: string | undefined; wish: Wish; onWish: (wish: Wish) => void }

const Levels = ({ kind, systemId, target, wish, onWish }: LevelsProps) => (
  <div className="mt-3 flex flex-col gap-2.5">
    {kind.threshold !== undefined && (
      <Slider
        label={words.alert_threshold()}
        unit={kind.unit}
        {...kind.threshold}
        value={wish.value}
        onChange={(value) => onWish({ ...wish, value })}
      />
    )}
    <Slider
      label={words.alert_minutes()}
      unit="min"
      min={1}
      max={MOST_MINUTES}
      step={1}
      value={wish.minutes}
      onChange={(minutes) => onWish({ ...wish, minutes })}
    />
    {kind.threshold !== undefined && <RehearsalStrip kind={kind} system={systemId} target={target} wish={wish} />}
  </div>
)

const wishOf = ({ threshold, isAtOnce }: AlertKind, alert: SystemAlert | undefined): Wish => ({
  value: alert?.value ?? threshold?.standard ?? 0,
  minutes: alert?.minutes ?? (isAtOnce === true ? 1 : STANDARD_MINUTES),
})

/** Stores what was last asked for once it rests, and at once when the card goes. */
function useRested(store: (wish: Wish) => void) {
  const waiting = useRef<{ readonly timer: ReturnType<typeof setTimeout>; readonly wish: Wish }>(undefined)
  const storing = useRef(store)
  useEffect(() => {
    storing.current = store
  })
  useEffect(
    () => () => {
      if (waiting.current === undefined) return
      clearTimeout(waiting.current.timer)
      storing.current(waiting.current.wish)
    },
    [],
  )
  return {
    later(wish: Wish): void {
      clearTimeout(waiting.current?.timer)
      const timer = setTimeout(() => {
        waiting.current = undefined
        storing.current(wish)
      }, REST_MS)
      waiting.current = { timer, wish }
    },
    forget(): void {
      clearTimeout(waiting.current?.timer)
      waiting.current = undefined
    },
  }
}
