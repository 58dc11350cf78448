import { z } from 'zod'
import { defineRoute } from '../../http/routing/define-route.ts'
import { factsOf } from '../../http/requests/request-context.ts'
import type { Access } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { severities } from '../judging/judgement.ts'
import { policyScopes } from '../policies/policy.ts'
import { loadRulesOfSystem } from '../policies/rules-of-system.ts'

const source = z.union([
  z.object({ scope: z.enum(policyScopes), policy: z.string(), of: z.string() }),
  z.object({ scope: z.literal('standard') }),
])

const listedRule = z.object({
  /** Name of the alert kind of this rule, such as `CPU`. */
  name: z.string(),
  target: z.string(),
  off: z.boolean(),
  threshold: z.number(),
  minutes: z.number(),
  /** Threshold at which the alert resolves while it fires. Absent: at `warning`, or at `threshold` for a rule without `warning`. */
  clear: z.number().optional(),
  severity: z.enum(severities),
  /** First of two thresholds, at which the alert fires as a warning; `threshold` is the second. Absent: it has only one threshold. */
  warning: z.number().optional(),
  warningMinutes: z.number().optional(),
  sources: z.object({
    off: source,
    threshold: source,
    minutes: source,
    clear: source.optional(),
    severity: source,
    warning: source.optional(),
    warningMinutes: source.optional(),
  }),
})

export const readAlertRules = defineRoute('GET /api/vedette/systems/:system/alert-rules', {
  tag: 'alerts',
  summary: "The caller's alert rules in force on a system, each value with the policy or alert that sets it",
  access: { door: 'signed in', decidedBy: 'the view rule of systems' },
  keys: 'read',
  response: z.object({ items: z.array(listedRule) }),
  async handle({ c, actor, params }, { engine: { store }, access }: { readonly engine: Engine; readonly access: Access }) {
    const system = await access.viewable(factsOf(c), 'systems', params.system)
    const rules = await loadRulesOfSystem(store, actor.id, system)
    return {
      items: rules.map(({ name, target, isOff, threshold, minutes, clear, severity, warning, sources }) => ({
        name,
        target,
        off: isOff,
        threshold,
        minutes,
        ...(clear === undefined ? {} : { clear }),
        severity,
        ...(warning === undefined ? {} : { warning: warning.threshold, warningMinutes: warning.minutes }),
        sources,
      })),
    }
  },
})
