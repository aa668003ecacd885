// The drawing of a result becomes a PNG here on the device; plain http has no sharing, but saves
// all the same.
const image = document.querySelector('[data-picture]');
const save = document.querySelector('[data-save]');
const share = document.querySelector('[data-share]');

async function develop() {
  // A canvas draws nothing of an image that is not decoded yet.
  await image.decode();
  const paper = Object.assign(document.createElement('canvas'), { width: 1080, height: 1350 });
  paper.getContext('2d').drawImage(image, 0, 0, 1080, 1350);
  save.href = paper.toDataURL('image/png');
  save.download = save.dataset.save;
  image.src = save.href;
  paper.toBlob((blob) =>
    offer({ files: [new File([blob], save.download, { type: 'image/png' })] })
  );
}

function offer(picture) {
  share.hidden = !navigator.canShare?.(picture);
  share.addEventListener(
    'click',
    () => navigator.share(picture).catch(() => {/* not shared after all */}),
  );
}

develop().catch(() => {/* the drawing itself can be saved */});
