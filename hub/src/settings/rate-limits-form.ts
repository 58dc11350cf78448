import { z } from 'zod'
import { isRateLabel } from '../platform/limits/rate-rules.ts'
import { blank } from '../records/model/field-check.ts'
import { checked, flag, invalid, oneOf, refusedWith, wholeNumber } from '../records/model/field-errors.ts'
import { networkList } from './stored-settings.ts'

const MAX_RULES = 100

const notLabel = invalid(
  'Must be a path such as /api/ or POST /api/batch, or a collection and what is done with it, such as systems:list or *:auth.',
)
const tooMany = refusedWith({ code: 'validation_length_too_long', message: `At most ${MAX_RULES} rules.` })
const twice = refusedWith({
  code: 'validation_conflicting_rate_limit_rule',
  message: 'There is already a rule for this label and audience.',
})

const rule = z.object({
  label: checked<string>((label) => (typeof label !== 'string' || label === '' ? blank : isRateLabel(label) ? undefined : notLabel)),
  audience: oneOf(['', '@guest', '@auth']).default(''),
  maxRequests: wholeNumber(1, 1_000_000),
  duration: wholeNumber(1, 86_400),
})

export const rateLimitsForm = (isEnabled: boolean) =>
  z.object({
    enabled: flag,
    rules: z
      .array(rule, 'Must be a list of rules.')
      .refine(({ length }) => length > 0 || !isEnabled, refusedWith(blank))
      .refine(({ length }) => length <= MAX_RULES, tooMany)
      .superRefine((rules, context) => {
        const names = rules.map(({ label, audience }) => JSON.stringify([label, audience]))
        for (const [at, name] of names.entries()) {
          if (names.indexOf(name) < at) context.addIssue({ code: 'custom', path: [at, 'label'], ...twice })
        }
      }),
    excludedIPs: networkList,
  })
