import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { AlertPolicy } from '../../api/alert-policies.ts'
import type { AlertRule } from '../../api/alert-record.ts'
import { alertKinds, STANDARD_MINUTES } from '../../api/alert-kinds.ts'
import { alertSentence } from '../../api/alert-sentence.ts'
import { keys } from '../../api/keys.ts'
import { setRecommendedAlerts } from '../../api/recommended-alerts.ts'
import { messageOf } from '../../api/request-failed.ts'
import type { System } from '../../api/system-record.ts'
import { paths } from '../../paths.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'
import { coverageOf } from './policy-coverage.ts'
import { RecommendedAlerts } from './recommended-alerts.tsx'

type RulesCardProps = { systems: readonly System[]; rules: readonly AlertRule[]; policies: readonly AlertPolicy[] }

/**
 * React component: card with each kind of alert and the number of `systems` that have one by a rule or a policy. Systems without any alert
 * are listed, with a button that creates the recommended rules.
 */
export function RulesCard({ systems, rules, policies }: RulesCardProps) {
  const { unwatched, counts } = useMemo(() => coverageOf(systems, rules, policies), [systems, rules, policies])
  return (
    <Card title={words.rules()} description={words.rules_about()}>
      <Unwatched systems={unwatched} isListed={policies.length > 0} />
      <Kinds counts={counts} total={systems.length} />
    </Card>
  )
}

/**
 * Maximum number of systems without any alert, 5, that the card of alert rules lists by name. The card's button covers all such systems.
 */
const MOST_LISTED = 5

function Unwatched({ systems, isListed }: { systems: readonly System[]; isListed: boolean }) {
  const client = useQueryClient()
  const apply = useMutation({
    mutationFn: (chosen: readonly System[]) => setRecommendedAlerts(chosen.map(({ id }) => id)),
    onSuccess: (_, chosen) => {
      const [first, ...others] = chosen
      showToast({
        title: others.length === 0 ? words.rules_applied({ name: first?.name ?? '' }) : words.rules_applied_to({ count: chosen.length }),
      })
    },
    // Some rules may be set even when others failed.
    onSettled: () => Promise.all([keys.alerts, keys.allSystemAlerts].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
  if (systems.length === 0) return null
  return (
    <section aria-labelledby="unwatched" className="mb-3 flex flex-col gap-2 rounded-control bg-sunken p-3">
      <h3 id="unwatched" className="font-medium">
        {words.rules_missing({ count: systems.length })}
      </h3>
      {/* Without policies, the card of policies lists them. */}
      {isListed && <RecommendedAlerts />}
      <ul className="flex flex-col gap-1">
        {systems.slice(0, MOST_LISTED).map((system) => (
          <li key={system.id} className="flex items-center gap-3">
            <Link href={paths.system(system.id)} className="min-w-0 flex-1 truncate leading-8 hover:underline">
              {system.name}
            </Link>
            <Button
              disabled={apply.isPending}
              aria-label={words.rules_apply_to({ name: system.name })}
              onClick={() => apply.mutate([system])}
            >
              {words.rules_apply()}
            </Button>
          </li>
        ))}
      </ul>
      {systems.length > 1 && (
        <Button disabled={apply.isPending} className="self-start" onClick={() => apply.mutate(systems)}>
          {words.rules_apply_all({ count: systems.length })}
        </Button>
      )}
      {apply.isError && <FormError message={messageOf(apply.error)} />}
    </section>
  )
}

function Kinds({ counts, total }: { counts: ReadonlyMap<string, number>; total: number }) {
  const formats = useFormats()
  return (
    <ul className="divide-y divide-border">
      {alertKinds.map((kind) => {
        const count = counts.get(kind.name) ?? 0
        const wish = { value: kind.threshold?.standard ?? 0, minutes: STANDARD_MINUTES }
        return (
          <li key={kind.name} className="flex items-baseline gap-3 py-2">
            <span className="min-w-0 flex-1 wrap-anywhere">
              {kind.label()}
              <span className="block text-note text-muted">{alertSentence(kind, wish, formats)}</span>
            </span>
            <span className="text-note whitespace-nowrap text-muted tabular-nums">{words.rules_on({ count, total })}</span>
          </li>
        )
      })}
    </ul>
  )
}
