// A button that asks the kernel for a file's text and hands it to the browser; nothing leaves this machine.
function render({ model, el }) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "ndcg-download jupyter-button";
  button.textContent = model.get("label");
  button.addEventListener("click", () => model.send({ kind: "make" }));
  const receive = (message) => {
    if (message.kind !== "file") return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([message.text], { type: message.type }));
    link.download = message.name;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  model.on("msg:custom", receive);
  el.append(button);
  return () => model.off("msg:custom", receive);
}

export default { render };
