import { Modal, type ModalProps } from './modal.tsx'

/** An open dialog at the side, as high as the page. The page stays readable beside it: its charts show what is set in the sheet. */
export const Sheet = (modal: ModalProps) => (
  <Modal {...modal} backdrop="bg-[rgb(0_0_0/0.2)]" className="inset-y-0 right-0 w-full max-w-lg border-l max-sm:p-3" />
)
