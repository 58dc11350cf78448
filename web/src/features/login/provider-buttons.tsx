import { useMutation, useQuery } from '@tanstack/react-query'
import { neededStepOf, signInWaysQuery, type NeededStep } from '../../api/accounts.ts'
import { signInAtProvider } from '../../api/client.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'

/**
 * React component: a sign-in button for each OAuth2 or OIDC provider of the hub; nothing when there are none. `onStep` is called when the
 * sign-in needs a second factor other than an emailed code.
 */
export function ProviderButtons({ onStep }: { onStep: (step: NeededStep) => void }) {
  const { data } = useQuery(signInWaysQuery)
  const entry = useMutation({
    mutationFn: signInAtProvider,
    onError: (error) => {
      const step = neededStepOf(error)
      if (step !== undefined && step.needs !== 'mail') onStep(step)
    },
  })
  if (data === undefined || data.providers.length === 0) return null
  return (
    <div className="flex flex-col gap-2 border-t border-border pt-4">
      {entry.isError && <FormError message={messageOf(entry.error)} />}
      {data.providers.map(({ name, displayName }) => (
        // Not disabled while a popup is open, because its closing is not reported.
        <Button key={name} className="h-9 justify-center" onClick={() => entry.mutate(name)}>
          {words.sign_in_with({ provider: displayName })}
        </Button>
      ))}
    </div>
  )
}
