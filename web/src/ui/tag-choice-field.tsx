import { tagErrorOf } from '../format/tag-error.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { TagField } from './tag-field.tsx'
import { Tag } from './tag.tsx'
import * as words from '../words/messages.js'
import { chooseTags, type TagChoice } from './tag-choice.ts'

type TagChoiceFieldProps = {
  label: string
  name: string
  hint?: string | undefined
  /** Translated label of the button that adds the typed tags; "Add" when absent. */
  action?: string
  proposals: readonly string[]
  choice: TagChoice
  onChange: (choice: TagChoice) => void
}

/**
 * React component: form field for several tags: text field, suggestions (`proposals`), and the chosen tags below, each with a remove
 * button. `onChange` gets chosen tags and typed text.
 */
export const TagChoiceField = ({ choice, proposals, onChange, ...field }: TagChoiceFieldProps) => (
  <div className="flex flex-col gap-1">
    <TagField
      {...field}
      error={tagErrorOf(choice.typed)}
      typed={choice.typed}
      proposals={proposals.filter((tag) => !choice.tags.includes(tag))}
      onType={(typed) => onChange({ ...choice, typed })}
      onAdd={(text) => tagErrorOf(text) === undefined && onChange(chooseTags(choice, text))}
    />
    {choice.tags.length > 0 && (
      <ul aria-label={field.label} className="flex flex-wrap gap-1">
        {choice.tags.map((text) => (
          <li key={text} className="flex max-w-full min-w-0 items-center">
            <Tag text={text} />
            <Button
              look="icon"
              className="size-6"
              aria-label={words.tag_remove({ tag: text })}
              onClick={() => onChange({ ...choice, tags: choice.tags.filter((one) => one !== text) })}
            >
              <Icon name="close" className="size-3" />
            </Button>
          </li>
        ))}
      </ul>
    )}
  </div>
)
