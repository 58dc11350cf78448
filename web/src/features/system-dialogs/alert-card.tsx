import { notifyManager, useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { alertLabel, MOST_MINUTES, STANDARD_MINUTES, type AlertKind } from '../../api/alert-kinds.ts'
import { messageOf } from '../../api/request-failed.ts'
import { alertQueue, removeAlert, setAlert, type PolicyRange, type SystemAlert } from '../../api/system-alerts.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Slider } from '../../ui/slider.tsx'
import { Switch } from '../../ui/switch.tsx'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'
import { LevelsButton } from './levels-button.tsx'
import { PreviewStrip } from './preview-strip.tsx'
import { ruleSentence } from './rule-sentence.ts'
import type { ShownRule } from './system-policy.ts'

/** Delay in ms from the last move of a slider until the alert rule is saved, 400. */
const REST_MS = 400

/**
 * State of an alert rule in its card, as the user has edited it. `isOn` says whether the rule is on. `wish` has threshold (in the kind's
 * unit) and delay in minutes, which stay while it is off.
 */
type Edit = { readonly isOn: boolean; readonly wish: Wish }
type Wish = { readonly value: number; readonly minutes: number }
type AlertCardProps = {
  kind: AlertKind
  systemId: string
  /** Name of the part of the system that the alert rule watches, such as a container; absent for a rule on the whole system. */
  target?: string
  alert: SystemAlert | undefined
  /**
   * Called after the hub has saved or deleted the alert rule. It must fetch the system's rules again, and resolve when the alert sheet
   * shows the new ones.
   */
  onStored: () => Promise<unknown>
}

/**
 * React component: card of one alert kind for a system (switch, condition as a sentence, sliders and preview). `alert` is the rule in
 * force, if any. The switch saves at once, a slider after 400 ms.
 */
export function AlertCard({ kind, systemId, target, alert, onStored }: AlertCardProps) {
  const formats = useFormats()
  const id = useId()
  // Unsaved changes; everything else on the card shows the stored rule.
  const [edit, setEdit] = useState<Edit>()
  // A rule that is switched off and on again keeps its values.
  const [last, setLast] = useState<Wish>()
  const { isOn, wish } = edit ?? { isOn: alert !== undefined, wish: alert === undefined && last !== undefined ? last : wishOf(kind, alert) }
  const place = { systems: [systemId], name: kind.name, target }
  const store = useMutation({
    mutationFn: ({ isOn, wish }: Edit) => (isOn ? setAlert({ ...place, ...wish }) : removeAlert(place)),
    // Saved one after another, so that the last change wins.
    scope: alertQueue({ systemId, name: kind.name, target }),
    onSuccess: onStored,
    // Runs after the cache has notified the sheet of the stored rule. Otherwise the card would be off for a moment and lose its input.
    onSettled: (_stored, _error, stored) => notifyManager.schedule(() => setEdit((current) => (current === stored ? undefined : current))),
  })
  const rested = useDebouncedSave(store.mutate)
  const change = (next: Edit) => {
    setEdit(next)
    setLast(next.wish)
    // A switch is saved at once, a slider after a delay.
    if (next.isOn === isOn) return rested.later(next)
    rested.forget()
    store.mutate(next)
  }

  const rule = shownRule(wish, alert, edit !== undefined)

  return (
    <li className="rounded-card border border-border bg-surface px-4 py-3">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <h3 id={id} className="font-semibold">
            {alertLabel(kind.name, target)}
            {alert?.isFiring === true && <span className="ml-2 text-note font-medium text-crit">{words.alert_is_firing()}</span>}
          </h3>
          <p className="text-note text-muted">{ruleSentence(kind, rule, formats)}</p>
          {isOn && <PolicyNote policy={alert?.policy} />}
        </div>
        <Switch labelledBy={id} isOn={isOn} onChange={(next) => change({ isOn: next, wish })} />
      </div>
      {isOn && kind.isAtOnce !== true && (
        <Details
          {...{ kind, systemId, target, rule, onStored }}
          onWish={(next) => change({ isOn, wish: next })}
          onOpen={() => rested.flush()}
        />
      )}
      {store.isError && <FormError message={messageOf(store.error)} />}
    </li>
  )
}

/**
 * Returns the alert rule that the card shows, with the thresholds that only policies set. The card has no sliders for such a rule, because
 * a slider saves an own rule, which would replace them. `isEdited` is true while the card has unsaved changes.
 */
const shownRule = (wish: Wish, alert: SystemAlert | undefined, isEdited: boolean): ShownRule => ({
  ...wish,
  levels: isEdited ? undefined : alert?.levels,
  severity: alert?.severity ?? 'critical',
  isOwn: isEdited || alert?.isOwn !== false,
})

function PolicyNote({ policy }: { policy: PolicyRange | undefined }) {
  return policy === undefined ? null : <p className="text-note text-muted">{policyWords(policy)}</p>
}

function policyWords(policy: PolicyRange): string {
  if (policy.scope === 'tag') return words.alert_policy_tag({ tag: policy.tag })
  return policy.scope === 'everything' ? words.alert_policy_everything() : words.alert_policy_system()
}

type DetailsProps = {
  kind: AlertKind
  systemId: string
  target: string | undefined
  rule: ShownRule
  onWish: (wish: Wish) => void
  onOpen: () => void
  onStored: () => Promise<unknown>
}

/**
 * React component: part of an alert card that is shown while the rule is on. It has the sliders, and for a kind with a threshold the preview
 * and the button for all thresholds.
 */
const Details = ({ onWish, ...button }: DetailsProps) => {
  const { kind, systemId, target, rule } = button
  const { value, minutes, levels } = rule
  return (
    <div className="mt-3 flex flex-col gap-2.5">
      {levels === undefined && <Sliders kind={kind} wish={{ value, minutes }} onWish={onWish} />}
      {kind.threshold !== undefined && (
        <>
          <PreviewStrip kind={kind} system={systemId} target={target} wish={{ value, minutes }} levels={levels} />
          <LevelsButton {...button} />
        </>
      )}
    </div>
  )
}

type SlidersProps = { kind: AlertKind; wish: Wish; onWish: (wish: Wish) => void }

const Sliders = ({ kind, wish, onWish }: SlidersProps) => (
  <>
    {kind.threshold !== undefined && (
      <Slider
        label={words.alert_threshold()}
        unit={kind.unit}
        {...kind.threshold}
        value={wish.value}
        onChange={(value) => onWish({ ...wish, value })}
      />
    )}
    {kind.isForecast !== true && (
      <Slider
        label={words.alert_minutes()}
        unit="min"
        min={1}
        max={MOST_MINUTES}
        step={1}
        value={wish.minutes}
        onChange={(minutes) => onWish({ ...wish, minutes })}
      />
    )}
  </>
)

const wishOf = ({ threshold, isAtOnce }: AlertKind, alert: SystemAlert | undefined): Wish => ({
  value: alert?.value ?? threshold?.standard ?? 0,
  minutes: alert?.minutes ?? (isAtOnce === true ? 1 : STANDARD_MINUTES),
})

/**
 * React hook: returns functions that save an edited alert rule by calling `store`. `later` does so 400 ms after the last change, `flush`
 * at once, and `forget` cancels a pending save. If the card unmounts before, the change is saved at once.
 */
function useDebouncedSave(store: (edit: Edit) => void) {
  const waiting = useRef<{ readonly timer: ReturnType<typeof setTimeout>; readonly edit: Edit }>(undefined)
  const storing = useRef(store)
  useEffect(() => {
    storing.current = store
  })
  useEffect(
    () => () => {
      if (waiting.current === undefined) return
      clearTimeout(waiting.current.timer)
      storing.current(waiting.current.edit)
    },
    [],
  )
  return {
    later(edit: Edit): void {
      clearTimeout(waiting.current?.timer)
      const timer = setTimeout(() => {
        waiting.current = undefined
        storing.current(edit)
      }, REST_MS)
      waiting.current = { timer, edit }
    },
    flush(): void {
      if (waiting.current === undefined) return
      const { timer, edit } = waiting.current
      clearTimeout(timer)
      waiting.current = undefined
      storing.current(edit)
    },
    forget(): void {
      clearTimeout(waiting.current?.timer)
      waiting.current = undefined
    },
  }
}
