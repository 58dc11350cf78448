import { useRef, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import * as words from '../words/messages.js'

type FileButtonProps = { isBusy: boolean; look?: 'primary'; onFile: (file: File) => void; children: ReactNode }

/**
 * React component: button that opens the browser's dialog for choosing a zip file and calls `onFile` with the file. `isBusy` disables it,
 * such as during an upload.
 */
export function FileButton({ isBusy, look, onFile, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".zip"
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file !== undefined) onFile(file)
          target.value = ''
        }}
      />
      <Button {...(look === undefined ? {} : { look })} disabled={isBusy} onClick={() => input.current?.click()}>
        {isBusy ? words.office_working() : children}
      </Button>
    </>
  )
}
