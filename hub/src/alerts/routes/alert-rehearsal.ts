import { Hono } from 'hono'
import { nullRecord } from '@vedette/protocol/null-record'
import { ownValue } from '@vedette/protocol/own-value'
import { levelKind, levelKinds } from '../judging/alert-kinds.ts'
import { ofTarget } from '../judging/one-target.ts'
import { readReadings, rehearse, sketch } from '../rules/rehearsal.ts'
import type { Clock } from '../../platform/clock.ts'
import type { History } from '../../history/model/history.ts'
import { DAY_MS } from '../../history/model/tier.ts'
import type { Access } from '../../records/engine/access.ts'
import { RecordError, type FieldErrors } from '../../records/model/record-error.ts'
import { signedIn, type RequestContext } from '../../http/requests/request-context.ts'

type RehearsalParts = { readonly access: Access; readonly history: History; readonly clock: Clock }

const STANDARD_DAYS = 30
const MOST_DAYS = 30
const MOST_MINUTES = 60
/** Points of the line that is drawn beside the episodes. */
const SKETCHED = 240

/** How often an alert would have fired in the past, and when: for who is about to set it. */
export function alertRehearsalRoute({ access, history, clock }: RehearsalParts): Hono<RequestContext> {
  return new Hono<RequestContext>().get('/api/vedette/alerts/rehearsal', async (c) => {
    const { actor } = signedIn(c)
    const query = c.req.query()
    const { kind, rule, target, days, errors } = parseRehearsal(query)
    if (kind === undefined || Object.keys(errors).length > 0) throw new RecordError(400, 'Failed to rehearse the alert.', errors)
    const system = await access.viewable(actor, 'systems', query['system'] ?? '')
    const toMs = clock.now()
    const { '1m': keptFromMs } = await history.keptFrom()
    const fromMs = Math.max(toMs - days * DAY_MS, keptFromMs)
    const readings = ofTarget(await readReadings(history, { system: system.id, kind, window: { fromMs, toMs } }), kind, target)
    const episodes = rehearse(kind, rule, readings).map(({ beganMs, endedMs, ...episode }) => ({
      began: beganMs,
      ended: endedMs ?? null,
      ...episode,
    }))
    // What is known begins later where the system is younger than that.
    const window = { fromMs: readings.times[0] ?? fromMs, toMs }
    const line = sketch(readings, kind, { window, count: SKETCHED })
    return c.json({ from: window.fromMs, to: toMs, minutes: readings.times.length, episodes, line })
  })
}

function parseRehearsal(query: Readonly<Record<string, string>>) {
  const errors = nullRecord<FieldErrors[string]>()
  const kind = levelKind(query['name'] ?? '')
  if (kind === undefined) errors['name'] = invalid(`Must be one of ${levelKinds.map(({ name }) => name).join(', ')}.`)
  const { target = '' } = query
  if ((kind?.isOfOne === true) !== (target !== '') && kind !== undefined)
    errors['target'] = invalid(target === '' ? 'Cannot be blank.' : 'Must be empty.')
  const threshold = number('value', 'a number', (value) => Number.isFinite(value))
  const minutes = number('min', `a whole number from 1 to ${MOST_MINUTES}`, within(MOST_MINUTES))
  const days = number('days', `a whole number from 1 to ${MOST_DAYS}`, within(MOST_DAYS), STANDARD_DAYS)
  return { kind, rule: { threshold, minutes }, target, days, errors }

  function number(name: string, what: string, fits: (value: number) => boolean, standard = Number.NaN): number {
    const text = ownValue(query, name)
    const value = text === undefined || text.trim() === '' ? standard : Number(text)
    if (!fits(value)) errors[name] = invalid(`Must be ${what}.`)
    return value
  }
}

const within = (most: number) => (value: number) => Number.isInteger(value) && value >= 1 && value <= most
const invalid = (message: string): FieldErrors[string] => ({ code: 'validation_invalid_value', message })
