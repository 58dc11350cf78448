import { Button } from './button.tsx'
import { copyText } from './clipboard.ts'
import { QrCode } from './qr-code.tsx'
import { TextField } from './text-field.tsx'

type ScanFieldsProps = {
  /** Secret of an authenticator app: `uri` is the content of the QR code, `secret` the text to type instead. */
  app: { readonly uri: string; readonly secret: string }
  labels: { readonly code: string; readonly secret: string; readonly copy: string; readonly copied: string; readonly copyManually: string }
}

/**
 * React component: QR code for setting up an authenticator app, and below it the secret as text with a copy button. `labels` are the
 * translated texts.
 */
export function ScanFields({ app: { uri, secret }, labels }: ScanFieldsProps) {
  return (
    <>
      <QrCode text={uri} label={labels.code} />
      <div className="flex items-end gap-2">
        <TextField
          label={labels.secret}
          readOnly
          value={secret}
          className="min-w-0 flex-1 font-mono text-small"
          onFocus={({ target }) => target.select()}
        />
        <Button className="h-9" onClick={() => void copyText(secret, { copied: labels.copied, askManually: labels.copyManually })}>
          {labels.copy}
        </Button>
      </div>
    </>
  )
}
