import { cn } from './cn.ts'
import { Modal, type ModalProps } from './modal.tsx'

type DialogProps = ModalProps & {
  /** ARIA role of the dialog: `alertdialog` for a question that the user must answer, else `dialog`. */
  role?: 'dialog' | 'alertdialog'
  /** True for a wide dialog, such as one with a log or other long text. */
  isWide?: boolean
}

/**
 * React component: modal dialog in the middle of the page. It is open as long as it is rendered; Escape and a press outside call `onClose`,
 * which must unmount it.
 */
export const Dialog = ({ isWide = false, ...modal }: DialogProps) => (
  <Modal
    {...modal}
    backdrop="bg-[rgb(0_0_0/0.45)]"
    className={cn(
      'left-1/2 top-[max(12px,12vh)] max-h-[calc(100dvh-24px-12vh)] w-[calc(100vw-24px)] -translate-x-1/2 rounded-card border',
      isWide ? 'max-w-4xl' : 'max-w-lg',
    )}
  />
)
