import { basePath } from '../../base-path.ts'
import { useDialog } from '../../navigation/use-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/clipboard.ts'
import { Dialog } from '../../ui/dialog.tsx'
import * as words from '../../words/messages.js'
import { callText } from './call-text.ts'
import type { RecordsQuery } from './records-page.ts'

/**
 * React component: button that opens a dialog with shell commands (`curl`), which fetch the records of `query` from the API. The commands
 * ask for the password and contain no token.
 */
export function HowToCall({ query }: { query: RecordsQuery }) {
  const { dialog, open, close } = useDialog()
  const text = callText(`${location.origin}${basePath}`, query)
  return (
    <>
      <Button onClick={() => open('call')}>API</Button>
      {dialog === 'call' && (
        <Dialog title={words.office_call()} description={words.office_call_about()} isWide onClose={close}>
          <pre className="overflow-x-auto rounded-control border border-border bg-sunken p-3 font-mono text-small whitespace-pre-wrap wrap-anywhere">
            {text}
          </pre>
          <Button
            className="self-start"
            onClick={() => void copyText(text, { copied: words.copied(), askManually: words.copy_manually() })}
          >
            {words.copy()}
          </Button>
        </Dialog>
      )}
    </>
  )
}
