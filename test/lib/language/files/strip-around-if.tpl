A
   ${~ x}%{ if true ~}

  ${~ x ~}
 %{ endif }
