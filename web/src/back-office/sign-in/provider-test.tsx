import { useMutation } from '@tanstack/react-query'
import { ownValue } from '@vedette/protocol/own-value'
import { sendRequest } from '../../api/client.ts'
import { recordOf, textOf } from '../../api/json.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'

const verdicts: Readonly<Record<string, { readonly text: () => string; readonly look: string }>> = {
  accepted: { text: words.office_provider_accepted, look: 'text-ok' },
  refused: { text: words.office_provider_refused, look: 'text-crit' },
}
const unclear = { text: words.office_provider_unclear, look: 'text-muted' }

/**
 * React component: button that makes the hub test whether a saved sign-in provider accepts this hub's client id and the callback URL
 * `callback`. Shows the text of the provider's response. Disabled unless `isStored` (no unsaved changes).
 */
export function ProviderTest({ name, callback, isStored }: { name: string; callback: string; isStored: boolean }) {
  const test = useMutation({
    mutationFn: async () => recordOf(await sendRequest('POST', `/api/vedette/providers/${name}/test`, { redirectURL: callback })),
  })
  const { text, look } = ownValue(verdicts, textOf(test.data?.['verdict']) ?? '') ?? unclear
  return (
    <div className="flex flex-col items-start gap-2">
      <Button onClick={() => test.mutate()} disabled={test.isPending || !isStored}>
        {test.isPending ? words.office_asking() : words.office_test_provider()}
      </Button>
      {test.isError && <FormError message={messageOf(test.error)} />}
      {test.isSuccess && (
        <output className={`text-note wrap-anywhere ${look}`}>
          {text()} <code className="text-muted">{textOf(test.data['said'])}</code>
        </output>
      )}
    </div>
  )
}
