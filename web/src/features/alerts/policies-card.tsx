import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { alertKind, alertLabel } from '../../api/alert-kinds.ts'
import { policiesList, recommendPolicies, type AlertPolicy } from '../../api/alert-policies.ts'
import { messageOf } from '../../api/request-failed.ts'
import type { System } from '../../api/system-record.ts'
import { compareNames } from '../../format/compare.ts'
import { paths } from '../../paths.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Tag } from '../../ui/tag.tsx'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'
import { DeletePolicyDialog } from './delete-policy-dialog.tsx'
import { PolicyDialog } from '../../policies/policy-dialog.tsx'
import { policyName, policyText } from '../../policies/policy-words.ts'
import { RecommendedAlerts } from './recommended-alerts.tsx'

/** Dialog that is open above the card of the alert policies: `edit` or `delete`. `edit` without `policy` adds a new policy. */
type OpenDialog = { readonly kind: 'edit'; readonly policy?: AlertPolicy } | { readonly kind: 'delete'; readonly policy: AlertPolicy }

/**
 * React component: card with the signed-in user's alert policies, which it loads: first those for all systems, then by tag, then for one
 * system. Without any policy it offers the recommended alerts.
 */
export function PoliciesCard({ systems }: { systems: readonly System[] }) {
  const query = useQuery(policiesList.query)
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  return (
    <Card id="policies" title={words.policies()} description={words.policies_about()}>
      <Awaited query={query} placeholder="h-14" isEmpty={({ length }) => length === 0} empty={<NoPolicies />}>
        {(policies) => (
          <ul aria-label={words.policies()} className="divide-y divide-border">
            {policies.toSorted(byRange).map((policy) => (
              <PolicyLine key={policy.id} policy={policy} systems={systems} onDialog={setDialog} />
            ))}
          </ul>
        )}
      </Awaited>
      {query.data !== undefined && (
        <Button className="mt-3" onClick={() => setDialog({ kind: 'edit' })}>
          {words.policy_add()}
        </Button>
      )}
      {dialog?.kind === 'edit' && <PolicyDialog policy={dialog.policy} policies={query.data ?? []} systems={systems} onClose={close} />}
      {dialog?.kind === 'delete' && <DeletePolicyDialog policy={dialog.policy} name={policyName(dialog.policy, systems)} onClose={close} />}
    </Card>
  )
}

const rangeRank = ({ tag, systemId }: AlertPolicy): number => (systemId !== '' ? 2 : tag !== '' ? 1 : 0)

const byRange = (a: AlertPolicy, b: AlertPolicy): number =>
  rangeRank(a) - rangeRank(b) ||
  compareNames(a.tag, b.tag) ||
  compareNames(alertLabel(a.name, a.target), alertLabel(b.name, b.target)) ||
  compareNames(a.systemId, b.systemId)

type PolicyLineProps = { policy: AlertPolicy; systems: readonly System[]; onDialog: (dialog: OpenDialog) => void }

function PolicyLine({ policy, systems, onDialog }: PolicyLineProps) {
  const formats = useFormats()
  const name = policyName(policy, systems)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2.5">
      <div className="flex min-w-40 flex-1 flex-col items-start gap-1">
        <span className="flex max-w-full flex-wrap items-center gap-x-3">
          <Range policy={policy} systems={systems} />
          <span className="font-medium wrap-anywhere">{alertLabel(policy.name, policy.target)}</span>
        </span>
        <span className="text-note text-muted">{policyText(policy, alertKind(policy.name), formats)}</span>
      </div>
      <div className="flex items-center gap-2">
        <Button aria-label={words.policy_edit_one({ policy: name })} onClick={() => onDialog({ kind: 'edit', policy })}>
          {words.edit()}
        </Button>
        <Button aria-label={words.policy_delete_one({ policy: name })} onClick={() => onDialog({ kind: 'delete', policy })}>
          {words.delete_action()}
        </Button>
      </div>
    </li>
  )
}

function Range({ policy: { tag, systemId }, systems }: { policy: AlertPolicy; systems: readonly System[] }) {
  if (systemId === '') return tag === '' ? <span>{words.policy_everything()}</span> : <Tag text={tag} />
  const system = systems.find(({ id }) => id === systemId)
  if (system === undefined) return <span className="text-muted">{words.policy_system_gone()}</span>
  return (
    <Link href={paths.system(system.id)} className="wrap-anywhere hover:underline">
      {system.name}
    </Link>
  )
}

/**
 * React component: content of the card with alert policies while there are none. It has the recommended alerts and a button that sets them
 * for all systems.
 */
function NoPolicies() {
  const recommending = useMutation({
    mutationFn: recommendPolicies,
    onSuccess: () => showToast({ title: words.policies_recommended() }),
  })
  return (
    <div className="flex flex-col items-start gap-2 rounded-control bg-sunken p-3">
      <p>{words.policies_none()}</p>
      <RecommendedAlerts />
      <Button disabled={recommending.isPending} onClick={() => recommending.mutate()}>
        {words.policies_recommend()}
      </Button>
      {recommending.isError && <FormError message={messageOf(recommending.error)} />}
    </div>
  )
}
