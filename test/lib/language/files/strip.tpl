A

   
${~ x ~}   

   B%{ if true ~}  
   C
  %{~ endif ~}

D