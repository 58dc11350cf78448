import { useId, useState } from 'react'
import { cn } from '../../../ui/cn.ts'
import { useFieldError } from '../../../ui/form-errors.ts'
import * as words from '../../../words/messages.js'

type ChannelsFieldProps = {
  /** List of the addresses in the user's settings (email addresses, webhook URLs), each of which gets a checkbox. */
  addresses: readonly string[]
  /** List of the addresses whose checkboxes are checked. It may have addresses that are not in the settings any more. */
  chosen: readonly string[]
  /**
   * Name of the field for notification channels in its `<Form>`, which shows the field's error by this name; absent if the field has no
   * errors.
   */
  name?: string
  /** Translated text below the field that says what the chosen channels mean, such as that without any nothing is sent. */
  about: string
  onChange: (chosen: readonly string[]) => void
}

/**
 * React component: form field that selects notification channels, a list of `addresses` with checkboxes. Chosen ones that the settings no
 * longer have are marked. `onChange` gets all chosen addresses.
 */
export function ChannelsField({ addresses, chosen, name, about, onChange }: ChannelsFieldProps) {
  const id = useId()
  const error = useFieldError(name)
  // Removed addresses stay in the list when they are unchecked, so that they can be checked again.
  const [chosenBefore] = useState(chosen)
  const shown = [...new Set([...addresses, ...chosenBefore])]
  return (
    <fieldset className="flex min-w-0 flex-col gap-1" aria-describedby={id}>
      <legend className="mb-1 text-note font-medium">{words.notify_rule_channels()}</legend>
      {shown.length > 0 && (
        <ul className="max-h-60 overflow-y-auto rounded-control border border-border p-1">
          {shown.map((address) => (
            <li key={address}>
              <label className="flex min-h-8 cursor-pointer items-center gap-2.5 rounded-control px-2 py-1 hover:bg-hover">
                <input
                  type="checkbox"
                  className="size-4 shrink-0 accent-accent"
                  checked={chosen.includes(address)}
                  onChange={({ target }) => onChange(target.checked ? [...chosen, address] : chosen.filter((one) => one !== address))}
                />
                <span className="min-w-0 flex-1 truncate" data-tooltip={address}>
                  {address}
                </span>
                {!addresses.includes(address) && <span className="shrink-0 text-small text-muted">{words.notify_rule_removed()}</span>}
              </label>
            </li>
          ))}
        </ul>
      )}
      <output id={id} className={cn('block text-small', error === undefined ? 'text-muted' : 'text-crit')}>
        {addresses.length === 0 ? words.notify_rule_no_channels() : (error ?? about)}
      </output>
    </fieldset>
  )
}
