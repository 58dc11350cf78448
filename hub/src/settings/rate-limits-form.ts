import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { isNetwork } from '../platform/network/networks.ts'
import { defaultRateLimits, isRateLabel, type RateLimits, type RateRule } from '../platform/limits/rate-rules.ts'
import { blank } from '../records/model/field-check.ts'
import { isJsonObject } from '../records/model/json-value.ts'
import type { FieldError, FieldErrors } from '../records/model/record-error.ts'
import { textsIn, wrongTexts } from './texts-in.ts'

const MOST_RULES = 100
const MOST_REQUESTS = 1_000_000
const MOST_SECONDS = 86_400

/** What of a form can be used; a hub that was never told has the standard rules, switched off. */
export function storedRateLimits(stored: JsonObject): RateLimits {
  const { enabled, rules, excludedIPs } = stored
  return {
    enabled: enabled === true,
    rules: Array.isArray(rules) ? rules.flatMap((rule) => ruleOf(rule) ?? []) : defaultRateLimits.rules,
    excludedIPs: textsIn(excludedIPs).filter(isNetwork),
  }
}

function ruleOf(rule: Json): RateRule | undefined {
  if (!isJsonObject(rule) || Object.keys(wrongRule(rule)).length > 0) return undefined
  const { label, audience, maxRequests, duration } = rule
  return {
    label: typeof label === 'string' ? label : '',
    audience: audiences.find((one) => one === audience) ?? '',
    maxRequests: Number(maxRequests),
    duration: Number(duration),
  }
}

const audiences = ['', '@guest', '@auth'] as const
const notListed: FieldError = { code: 'validation_in_invalid', message: 'Must be a valid value.' }
const notLabel: FieldError = {
  code: 'validation_invalid_value',
  message: 'Must be a path such as /api/ or POST /api/batch, or a collection and what is done with it, such as systems:list or *:auth.',
}
const twice: FieldError = {
  code: 'validation_conflicting_rate_limit_rule',
  message: 'There is already a rule for this label and audience.',
}
const wholeNumber = (most: number): FieldError => ({
  code: 'validation_invalid_value',
  message: `Must be a whole number from 1 to ${most}.`,
})

function wrongRule({ label, audience = '', maxRequests, duration }: JsonObject): Record<string, FieldError> {
  const found = {
    label: typeof label !== 'string' || label === '' ? blank : isRateLabel(label) ? undefined : notLabel,
    audience: audiences.some((one) => one === audience) ? undefined : notListed,
    maxRequests: isFrom1To(maxRequests, MOST_REQUESTS) ? undefined : wholeNumber(MOST_REQUESTS),
    duration: isFrom1To(duration, MOST_SECONDS) ? undefined : wholeNumber(MOST_SECONDS),
  }
  return Object.fromEntries(Object.entries(found).flatMap(([name, error]) => (error === undefined ? [] : [[name, error]])))
}

const isFrom1To = (value: Json | undefined, most: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most

/** What is wrong with limits as somebody wants them, by field; of a rule by its place in the list. */
export function wrongRateLimits({ enabled, rules, excludedIPs }: JsonObject): FieldErrors {
  const errors: Record<string, FieldError | FieldErrors> = {}
  if (typeof enabled !== 'boolean') errors['enabled'] = { code: 'validation_invalid_value', message: 'Must be true or false.' }
  if (!Array.isArray(rules)) errors['rules'] = { code: 'validation_invalid_value', message: 'Must be a list of rules.' }
  else if (rules.length === 0 && enabled === true) errors['rules'] = blank
  else if (rules.length > MOST_RULES) errors['rules'] = { code: 'validation_length_too_long', message: `At most ${MOST_RULES} rules.` }
  else {
    const wrong = wrongRules(rules)
    if (Object.keys(wrong).length > 0) errors['rules'] = wrong
  }
  const wrongExcluded = wrongTexts(excludedIPs, isNetwork, notNetwork)
  if (wrongExcluded !== undefined) errors['excludedIPs'] = wrongExcluded
  return errors
}

function wrongRules(rules: readonly Json[]): FieldErrors {
  const names = rules.map((rule) => (isJsonObject(rule) ? JSON.stringify([rule['label'], rule['audience'] ?? '']) : ''))
  return Object.fromEntries(
    rules.flatMap((rule, at) => {
      const wrong = wrongRule(isJsonObject(rule) ? rule : {})
      if (Object.keys(wrong).length > 0) return [[String(at), wrong]]
      return names.indexOf(names[at] ?? '') < at ? [[String(at), { label: twice }]] : []
    }),
  )
}

/** For what should be an address or a network and is not. */
export const notNetwork = (text: string): FieldError => ({
  code: 'validation_invalid_subnet',
  message: `"${text}" is no address and no network such as 10.0.0.0/8.`,
})
