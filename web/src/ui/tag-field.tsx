import type { KeyboardEvent } from 'react'
import * as words from '../words/messages.js'
import { Button } from './button.tsx'
import { Field, type FieldProps } from './field.tsx'

type TagFieldProps = FieldProps & {
  /** Text typed in the tag field that has not been added as a tag yet. */
  typed: string
  /** Translated label of the button that adds the typed tags; "Add" when absent. */
  action?: string
  /** True when the field's text is itself the only tag. It then has no add button, and Enter submits the form. */
  isSingle?: boolean
  /** List of tags to suggest below the text field, best first. */
  proposals: readonly string[]
  onType: (typed: string) => void
  /** Called with the typed text on Enter, comma or the add button (unless `isSingle`), and with a suggested tag when it is pressed. */
  onAdd: (text: string) => void
}

/** Maximum number of tags, 8, that a tag field suggests below its text field. */
const MOST_PROPOSALS = 8

/**
 * React component: text field for adding tags (Enter, comma or button), or with `isSingle` for one tag. Suggested tags can be pressed. The
 * component only reports tags with `onAdd` and does not store them.
 */
export function TagField({ typed, action = words.add(), isSingle = false, proposals, onType, onAdd, ...field }: TagFieldProps) {
  const search = typed.trim().toLocaleLowerCase()
  const found = proposals.filter((tag) => tag.toLocaleLowerCase().includes(search)).slice(0, MOST_PROPOSALS)
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    // Enter sends the form while the field is empty, and confirms the characters of an input method.
    if (isSingle || event.nativeEvent.isComposing || typed.trim() === '' || (event.key !== 'Enter' && event.key !== ',')) return
    event.preventDefault()
    onAdd(typed)
  }
  return (
    <div className="flex flex-col gap-2">
      <Field {...field}>
        {({ className, ...control }) => (
          <span className="flex gap-2">
            <input
              {...control}
              className={`${className} h-9`}
              value={typed}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={({ target }) => onType(target.value)}
              onKeyDown={onKey}
            />
            {!isSingle && (
              <Button className="h-9" disabled={typed.trim() === ''} onClick={() => onAdd(typed)}>
                {action}
              </Button>
            )}
          </span>
        )}
      </Field>
      {proposals.length > 0 && (
        // Two lines high, so that typing moves nothing.
        <ul aria-label={words.tag_proposals()} className="flex min-h-13 flex-wrap content-start gap-1">
          {found.map((tag) => (
            <li key={tag} className="flex max-w-full min-w-0">
              <button
                type="button"
                onClick={() => onAdd(tag)}
                className="inline-flex h-6 max-w-full min-w-0 items-center rounded-full border border-border bg-surface px-2 text-small hover:bg-hover"
              >
                <span className="truncate">{tag}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
