import type { SystemLink } from '../../../api/system-notes.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import * as words from '../../../words/messages.js'

/** Maximum number of links that a system can have, 20; at the limit, the notes form has no button to add one. */
const MOST_LINKS = 20

/**
 * React component: rows of the notes form, each with name and URL of one link of the system, and buttons to add and remove links.
 * `onChange` gets all links.
 */
export function LinkRows({ links, onChange }: { links: readonly SystemLink[]; onChange: (links: readonly SystemLink[]) => void }) {
  const change = (at: number, next: Partial<SystemLink>) =>
    onChange(links.map((link, index) => (index === at ? { ...link, ...next } : link)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-note font-medium">{words.links()}</legend>
      {links.map(({ name, url }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a row has no other identity, and rows only leave
        <div key={at} className="flex items-start gap-2 max-sm:flex-wrap">
          <TextField
            label={words.link_name({ number: at + 1 })}
            isLabelHidden
            name={`link-name-${at}`}
            placeholder={words.field_name()}
            maxLength={80}
            autoComplete="off"
            value={name}
            onChange={({ target }) => change(at, { name: target.value })}
            className="w-36 max-sm:w-full"
          />
          <TextField
            label={words.link_address({ number: at + 1 })}
            isLabelHidden
            name={`link-url-${at}`}
            type="url"
            required
            pattern="[hH][tT][tT][pP][sS]?://.+"
            placeholder="https://"
            maxLength={2000}
            autoComplete="off"
            value={url}
            onChange={({ target }) => change(at, { url: target.value })}
            className="min-w-0 flex-1"
          />
          <Button
            look="icon"
            className="h-9"
            aria-label={words.link_remove({ number: at + 1 })}
            onClick={() => onChange(links.filter((_, index) => index !== at))}
          >
            <Icon name="close" />
          </Button>
        </div>
      ))}
      {links.length < MOST_LINKS && (
        <Button className="self-start" onClick={() => onChange([...links, { name: '', url: '' }])}>
          {words.link_add()}
        </Button>
      )}
    </fieldset>
  )
}
