import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { pushQuery, subscribeHere, unsubscribeHere, type PushState } from '../../api/push-subscription.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'

const reasons: Readonly<Partial<Record<PushState['kind'], () => string>>> = {
  insecure: words.push_insecure,
  unsupported: words.push_unsupported,
  denied: words.push_denied,
}

type PushChoiceProps = {
  addresses: readonly string[]
  isBusy: boolean
  onAdd: (address: string) => void
  onRemove: (address: string) => void
}

/**
 * React component: button that starts and stops push notifications in this browser, or the reason why they are impossible. `onAdd` and
 * `onRemove` must change `addresses`, the user's stored webhook URLs.
 */
export function PushChoice({ addresses, isBusy, onAdd, onRemove }: PushChoiceProps) {
  const client = useQueryClient()
  const { data: state } = useQuery(pushQuery)
  const change = useMutation({
    mutationFn: (isWanted: boolean) => (isWanted ? subscribeHere() : unsubscribeHere()),
    onSuccess(next) {
      client.setQueryData(pushQuery.queryKey, next)
      if (next.kind === 'on') onAdd(next.address)
      else if (state?.kind === 'on') onRemove(state.address)
    },
  })
  const isOn = state?.kind === 'on' && addresses.includes(state.address)
  const reason = state && reasons[state.kind]
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <p className="text-note font-medium">{words.push_here()}</p>
          <output className="block text-small text-muted">{reason?.() ?? (isOn ? words.push_is_on() : words.push_about())}</output>
        </div>
        {state !== undefined && reason === undefined && (
          <Button disabled={isBusy || change.isPending} onClick={() => change.mutate(!isOn)} className="h-9">
            {isOn ? words.push_stop() : words.push_start()}
          </Button>
        )}
      </div>
      {change.isError && <FormError message={messageOf(change.error)} />}
    </div>
  )
}
